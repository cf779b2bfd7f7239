// A group of two counters of the calling thread.
#include "metrics/split_counter.h"

#include <algorithm>

#include "metrics/counter_reading.h"
#include "metrics/events.h"

namespace metrics {
namespace {

EventGroup InstructionsAndCycles() {
  for (EventGroup& group : DefaultEvents()) {
    if (group.events.front().generic == "instructions") return std::move(group);
  }
  return {};
}

}  // namespace

SplitCounter::SplitCounter(PerfSystem& system) : system_(system) {
  CounterOpener opener({.inherit = false, .usage_fallback = false, .migrations_fallback = false},
                       system);
  counters_ = opener.Open(InstructionsAndCycles());
  const auto counts = [](const OpenCounter& counter) {
    return counter.source == CounterSource::kPerf;
  };
  counts_hardware_ = counters_.size() == 2 && std::ranges::all_of(counters_, counts);
  for (const OpenCounter& counter : counters_) {
    if (cause_.empty()) cause_ = counter.cause;
    modifiers_ = counter.modifiers;
    for (const int leader : counter.leaders) system_.Enable(leader);
  }
}

SplitCounter::~SplitCounter() {
  for (const OpenCounter& counter : counters_) {
    for (const int descriptor : counter.descriptors) system_.Close(descriptor);
  }
}

SplitReading SplitCounter::Read() {
  SplitReading reading;
  if (counts_hardware_) {
    reading.instructions = Sum(counters_[0]);
    reading.cycles = Sum(counters_[1]);
  }
  reading.monotonic_ns = system_.MonotonicNs();
  return reading;
}

uint64_t SplitCounter::Sum(const OpenCounter& counter) {
  uint64_t sum = 0;
  for (const int descriptor : counter.descriptors) {
    PerfCount count;
    if (system_.Read(descriptor, count) == 0) sum += count.value;
  }
  return sum;
}

double SplitCounter::Scale() {
  if (!counts_hardware_) return 1;
  uint64_t enabled = 0;
  uint64_t running = 0;
  for (const int descriptor : counters_[0].descriptors) {
    PerfCount count;
    if (system_.Read(descriptor, count) != 0) continue;
    enabled = std::max(enabled, count.enabled_ns);
    running += count.running_ns;
  }
  if (running == 0 || running >= enabled) return 1;
  return static_cast<double>(enabled) / static_cast<double>(running);
}

}  // namespace metrics
