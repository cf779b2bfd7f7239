// Which run of a sweep follows which.
// Thread rule: pure functions.
#pragma once

#include <compare>
#include <set>
#include <vector>

#include "apps/write-throughput/options.h"

namespace throughput {

struct PlannedRun {
  int cell = 1;    // its number
  int repeat = 1;  // from 1

  auto operator<=>(const PlannedRun&) const = default;
};

// Every run of every cell that is not among `done`. At random: cells and repeats mixed, the same
// order for the same seed (which `order` has) on every machine, whatever is done already.
std::vector<PlannedRun> PlanRuns(int cells, int repeats, const Order& order,
                                 const std::set<PlannedRun>& done);

// `order` with a seed where it needs one.
Order WithSeed(const Order& order);

}  // namespace throughput
