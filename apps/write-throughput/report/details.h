// What stands below the perf-like block: the figures that are about rows, transactions and commits,
// in the block's own columns, and the notes a reader needs to trust the figures or not.
// Thread rule: pure functions of values.
#pragma once

#include <span>
#include <string>

#include "metrics/result_record.h"

namespace throughput {

// From the blank line above to the blank line below. `runs` has at least one. Of several runs:
// means with their standard errors, percentiles over the commits of all runs, and the extremes of
// all threads. `repeats` runs had been asked for.
std::string Details(std::span<const metrics::ResultRecord> runs, int repeats, bool big_numbers);

}  // namespace throughput
