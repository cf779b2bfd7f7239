#include "apps/write-throughput/harness_cost.h"

#include <algorithm>
#include <limits>

#include "apps/write-throughput/load_thread.h"
#include "apps/write-throughput/targets/null.h"

namespace throughput {
namespace {

constexpr int kRounds = 6;
constexpr std::chrono::milliseconds kRound(1);
constexpr int64_t kMostRows = 10'000;  // of a transaction, so that a round stays short

LoadPlan CalibrationPlan(const LoadPlan& plan) {
  LoadPlan calibration = plan;
  calibration.layout = {1, std::min(plan.layout.batch_size, kMostRows), std::nullopt};
  calibration.duration = kRound;
  calibration.compute = BusyCompute(0, ComputeClock::kWall);
  return calibration;
}

}  // namespace

double HarnessNsPerTransaction(const LoadPlan& plan, const Values& values) {
  const LoadPlan calibration = CalibrationPlan(plan);
  const std::unique_ptr<Target> target = NullTarget().make();
  TargetOptions options;
  options.in_flight = plan.in_flight;
  target->Create(options);
  LoadControl control;
  LoadThread thread(calibration, 0, values, *target->Connect(), control);
  double least = std::numeric_limits<double>::max();
  for (int round = 0; round < kRounds; ++round) {
    const int64_t before = thread.transactions();
    const Clock::time_point begin = Clock::now();
    thread.RunPhase(Phase::kMeasured);
    const std::chrono::duration<double, std::nano> took = Clock::now() - begin;
    least = std::min(least, took.count() / static_cast<double>(thread.transactions() - before));
  }
  return least * static_cast<double>(plan.layout.batch_size) /
         static_cast<double>(calibration.layout.batch_size);
}

}  // namespace throughput
