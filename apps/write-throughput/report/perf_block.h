// The block that reads like perf stat's: header, counters with their metrics, times.
// Thread rule: pure functions of values.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/write-throughput/report/counter_figures.h"
#include "metrics/result_record.h"

namespace throughput {

// One cell's block, from the blank line above the header to the line of the last time. `runs` has
// at least one; of several, means and standard errors. `arguments` make the header. Without
// counters (--counters none) it is the times alone, under another header.
std::string PerfBlock(std::span<const metrics::ResultRecord> runs,
                      const std::vector<std::string>& arguments, bool big_numbers);

// The counter lines alone, each line of text after `prefix`.
std::string CounterLines(std::span<const CounterFigure> figures, double wall_seconds,
                         bool big_numbers, const std::string& prefix = {});

}  // namespace throughput
