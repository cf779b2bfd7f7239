// The lines of a cell's summary that tell what its commits asked of the disk.
// Thread rule: a function of its arguments.
#pragma once

#include <span>
#include <string>

#include "metrics/result_record.h"

namespace throughput {

// `runs`: of one cell, at least one. Lines for what there are no figures of are left out; without
// any the text is empty.
std::string DurabilityLines(std::span<const metrics::ResultRecord> runs, bool big_numbers);

}  // namespace throughput
