// The table of --phases below the block: what a row cost in each phase.
// Thread rule: a pure function of values.
#pragma once

#include <span>
#include <string>

#include "metrics/result_record.h"

namespace throughput {

// Means over the runs; empty without phases. Time of the load threads' phases is wall time, that of
// the background CPU time.
std::string PhaseLines(std::span<const metrics::ResultRecord> runs, bool big_numbers);

}  // namespace throughput
