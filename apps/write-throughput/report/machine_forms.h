// The counters in the forms that scripts read: perf stat's -x, and -j, field by field as perf 6.1
// writes them, and around them which cell they are of. Intervals come first, each line with its
// time, then the totals, then the threads.
// Thread rule: pure functions of values.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "metrics/result_record.h"

namespace throughput {

// value,unit,event,[variance%,]run_ns,percent_running,metric,metric-unit: the variance with several
// runs only. An event name that holds a comma or a quote stands in quotes. Where there are
// intervals, the lines begin with the time in seconds, and where there are threads, then with the
// thread's name; those of the totals with "summary". Lines that begin with "#" are comments: the
// cell, notes, phases. `arguments`: the cell's command line.
std::string PerfCsv(std::span<const metrics::ResultRecord> runs,
                    const std::vector<std::string>& arguments);

// One object a line, "cell" in each; a counter's second metric is an object of its own. Objects
// without "counter-value" and "metric-value" are perf's not: the cell's command, notes, phases.
std::string PerfJson(std::span<const metrics::ResultRecord> runs,
                     const std::vector<std::string>& arguments);

}  // namespace throughput
