// A record for the tests of its JSON form.
#pragma once

#include "metrics/result_record.h"

namespace metrics {

// Every field has a value of its own that is not the default, but for the optional ones, which are
// absent.
ResultRecord FullRecord();

}  // namespace metrics
