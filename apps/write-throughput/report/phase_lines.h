// What a row cost in each phase of --phases, and the table of it below the block.
// Thread rule: pure functions of values.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "metrics/result_record.h"

namespace throughput {

// Of one row.
struct PhaseCosts {
  std::string name;
  double ns = 0;  // wall time of the load threads' phases, CPU time of the background
  double instructions = 0;
  double cycles = 0;
  bool counted = true;  // the two above are known
};
std::vector<PhaseCosts> PhasesPerRow(std::span<const metrics::ResultRecord> runs);

// Means over the rows of all runs; empty without phases.
std::string PhaseLines(std::span<const metrics::ResultRecord> runs, bool big_numbers);

}  // namespace throughput
