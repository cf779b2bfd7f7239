#include "apps/write-throughput/run_order.h"

#include <random>
#include <utility>

namespace throughput {

std::vector<PlannedRun> PlanRuns(int cells, int repeats, const Order& order,
                                 const std::set<PlannedRun>& done) {
  std::vector<PlannedRun> runs;
  for (int cell = 1; cell <= cells; ++cell) {
    for (int repeat = 1; repeat <= repeats; ++repeat) runs.push_back({cell, repeat});
  }
  if (order.random) {
    // Fisher and Yates's shuffle by hand: std::shuffle differs from library to library. That the
    // remainder favours small numbers by one in 2^47 shows in no order of ours.
    std::mt19937_64 random(static_cast<uint64_t>(order.seed.value_or(0)));
    for (size_t left = runs.size(); left > 1; --left) {
      std::swap(runs[left - 1], runs[random() % left]);
    }
  }
  std::erase_if(runs, [&](const PlannedRun& run) { return done.contains(run); });
  return runs;
}

Order WithSeed(const Order& order) {
  if (!order.random || order.seed) return order;
  return {true, static_cast<int64_t>(std::random_device()())};
}

}  // namespace throughput
