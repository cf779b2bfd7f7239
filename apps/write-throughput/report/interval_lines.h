// The lines of --interval, as perf stat -I prints them: time since the window opened, then rows and
// each counter within that interval. What was under way meanwhile stands behind the rows' rate:
// "during checkpoint, merge, stall".
//
// Thread rule: pure functions of values.
#pragma once

#include <span>
#include <string>

#include "metrics/result_record.h"

namespace throughput {

// All intervals of all runs in order; nothing where there are none. The heading comes with each
// run's first interval and every 25 intervals after it.
std::string IntervalLines(std::span<const metrics::ResultRecord> runs, bool big_numbers);

}  // namespace throughput
