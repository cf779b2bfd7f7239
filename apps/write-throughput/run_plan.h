// What one run is to do: a cell of the options, for the n-th time.
// Thread rule: a value; what it refers to does not change meanwhile.
#pragma once

#include "apps/write-throughput/cells.h"
#include "apps/write-throughput/load_plan.h"
#include "apps/write-throughput/options.h"

namespace throughput {

struct RunPlan {
  const Options& options;
  const Cell& cell;
  int repeat = 1;
  const Values& values;
};

}  // namespace throughput
