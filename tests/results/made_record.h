// A record for tests: the smallest one that is right.
// Thread rule: a pure function.
#pragma once

#include "metrics/result_record.h"

namespace throughput {

// Burin, one thread, batch 100: 1,000 rows in 10 transactions, 120 instructions a row.
metrics::ResultRecord MadeRecord();

// As if its rows had taken as long as that rate says.
void SetRate(metrics::ResultRecord& record, double rows_per_second);

}  // namespace throughput
