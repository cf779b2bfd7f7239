#include "apps/write-throughput/phase_meter.h"

#include <time.h>

#include <algorithm>
#include <limits>

namespace throughput {
namespace {

int64_t ThreadCpuNs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// The least of some rounds: what disturbs one only makes it longer.
double MeasureReading(metrics::SplitCounter& counter) {
  constexpr int kRounds = 8;
  constexpr int kReadings = 32;
  double least = std::numeric_limits<double>::max();
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t begin = counter.Read().monotonic_ns;
    uint64_t end = begin;
    for (int i = 0; i < kReadings; ++i) end = counter.Read().monotonic_ns;
    least = std::min(least, static_cast<double>(end - begin) / kReadings);
  }
  return least;
}

}  // namespace

PhaseMeter::PhaseMeter() {
  split_.reading_ns = MeasureReading(counter_);
  split_.counts_hardware = counter_.counts_hardware();
  split_.modifiers = counter_.modifiers();
  split_.cause = counter_.cause();
}

void PhaseMeter::Start() {
  cpu_at_start_ns_ = ThreadCpuNs();
  phase_ = LoadPhase::kBegin;
  latest_ = counter_.Read();
}

void PhaseMeter::Switch(LoadPhase next) {
  const metrics::SplitReading now = counter_.Read();
  PhaseSplit::Part& part = split_.parts[static_cast<size_t>(phase_)];
  part.ns += static_cast<double>(now.monotonic_ns - latest_.monotonic_ns);
  part.instructions += static_cast<double>(now.instructions - latest_.instructions);
  part.cycles += static_cast<double>(now.cycles - latest_.cycles);
  latest_ = now;
  phase_ = next;
  ++split_.readings;
}

PhaseSplit PhaseMeter::Stop() {
  Switch(phase_);
  split_.cpu_ns = static_cast<double>(ThreadCpuNs() - cpu_at_start_ns_);
  const double scale = counter_.Scale();
  for (PhaseSplit::Part& part : split_.parts) {
    part.instructions *= scale;
    part.cycles *= scale;
  }
  return split_;
}

}  // namespace throughput
