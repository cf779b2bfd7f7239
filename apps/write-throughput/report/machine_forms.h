// The counters in the forms that scripts read: perf stat's -x, and -j, field by field as perf 6.1
// writes them. Intervals come first, each line with its time, then the totals.
// Thread rule: pure functions of values.
#pragma once

#include <span>
#include <string>

#include "metrics/result_record.h"

namespace throughput {

// value,unit,event,[variance%,]run_ns,percent_running,metric,metric-unit: the variance with several
// runs only. An event name that holds a comma or a quote stands in quotes. Where there are
// intervals, the lines begin with the time in seconds, those of the totals with "summary".
std::string PerfCsv(std::span<const metrics::ResultRecord> runs);

// One object a line; a counter's second metric is an object of its own.
std::string PerfJson(std::span<const metrics::ResultRecord> runs);

}  // namespace throughput
