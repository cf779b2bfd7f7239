// What the engine's own threads did behind the load, and what load threads waited for: the figures
// and their lines in the summary.
// Thread rule: pure functions of values.
#pragma once

#include <span>
#include <string>

#include "metrics/result_record.h"

namespace throughput {

// Wholes that the background has its shares of.
double AllBytes(const metrics::ResultRecord& run);  // written, and zero-filled ahead
double AllCpuNanoseconds(const metrics::ResultRecord& run);

// The intervals of a run; not a last one that is shorter than the first, as the window ends where
// it will.
struct IntervalCount {
  size_t all = 0;
  size_t without_rows = 0;
};
IntervalCount WholeIntervals(const metrics::ResultRecord& run);

// The section of the summary, or nothing where the engine cannot tell. Of several runs: counts are
// means, the longest of all runs, shares of all runs together.
std::string BackgroundDetails(std::span<const metrics::ResultRecord> runs, bool big_numbers);

}  // namespace throughput
