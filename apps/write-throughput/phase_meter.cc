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
void MeasureReading(metrics::SplitCounter& counter, PhaseSplit& split) {
  constexpr int kRounds = 8;
  constexpr int kReadings = 32;
  split.reading_ns = split.reading_instructions = std::numeric_limits<double>::max();
  for (int round = 0; round < kRounds; ++round) {
    const metrics::SplitReading begin = counter.Read();
    metrics::SplitReading end = begin;
    for (int i = 0; i < kReadings; ++i) end = counter.Read();
    const auto each = [](uint64_t from, uint64_t to) {
      return static_cast<double>(to - from) / kReadings;
    };
    split.reading_ns = std::min(split.reading_ns, each(begin.monotonic_ns, end.monotonic_ns));
    split.reading_instructions =
        std::min(split.reading_instructions, each(begin.instructions, end.instructions));
  }
}

}  // namespace

PhaseMeter::PhaseMeter() {
  MeasureReading(counter_, split_);
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
