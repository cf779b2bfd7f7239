// What the load's own work around the calls of a target costs: making ids and values, reading the
// clock, keeping the counts. It is not taken from the measured window, where telling it apart would
// cost more than it does, but calibrated: the same load threads' code on the null target, right
// behind the window and alone, the best of some short rounds. In the window caches are less warm,
// so it is a lower bound.
// Thread rule: a function.
#pragma once

#include "apps/write-throughput/load_plan.h"
#include "apps/write-throughput/workload.h"

namespace throughput {

// Of one transaction of the plan, without its compute; takes about 6 ms.
double HarnessNsPerTransaction(const LoadPlan& plan, const Values& values);

}  // namespace throughput
