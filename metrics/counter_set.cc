// Switching, reading and scaling.
#include "metrics/counter_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ranges>

#include "metrics/self_test.h"

namespace metrics {
namespace {

PerfCount Difference(const PerfCount& later, const PerfCount& earlier) {
  return {later.value - earlier.value, later.enabled_ns - earlier.enabled_ns,
          later.running_ns - earlier.running_ns};
}

// The estimate for the time that it was enabled, from the part in which it was on the PMU.
double Scaled(const PerfCount& count) {
  const auto value = static_cast<double>(count.value);
  if (count.running_ns == 0 || count.running_ns >= count.enabled_ns) return value;
  return std::round(value * static_cast<double>(count.enabled_ns) /
                    static_cast<double>(count.running_ns));
}

const char* SourceName(CounterSource source) {
  switch (source) {
    case CounterSource::kPerf:
      return "perf";
    case CounterSource::kUsage:
      return "rusage";
    case CounterSource::kMigrations:
      return "proc";
    case CounterSource::kNone:
      break;
  }
  return "";
}

void SetUncounted(CounterReading& reading, CounterStatus status, std::string cause) {
  reading.status = status;
  reading.cause = std::move(cause);
}

void FillFromPerf(CounterReading& reading, const PerfCount& count, int error) {
  reading.value = Scaled(count);
  reading.enabled_ns = count.enabled_ns;
  reading.running_ns = count.running_ns;
  if (error == ENODATA) {
    SetUncounted(reading, CounterStatus::kNotCounted,
                 "pinned, but the PMU had no place for it: ask without the modifier D");
  } else if (error != 0) {
    SetUncounted(reading, CounterStatus::kNotCounted,
                 fmt::format("reading the counter failed ({})", ErrnoName(error)));
  } else if (count.running_ns == 0) {
    SetUncounted(reading, CounterStatus::kNotCounted,
                 "never on the PMU: others, such as the NMI watchdog, hold its counters, or the "
                 "window was too short");
  }
}

}  // namespace

CounterSet::CounterSet(const std::vector<EventGroup>& groups, const CounterOptions& options,
                       PerfSystem& system)
    : system_(system), opener_(options, system) {
  for (size_t i = 0; i < groups.size(); ++i) {
    for (OpenCounter& counter : opener_.Open(groups[i])) {
      counters_.push_back({std::move(counter), i});
    }
  }
  FindLeaders();
}

CounterSet::~CounterSet() {
  for (const Counter& counter : counters_) {
    for (const int descriptor : counter.descriptors) system_.Close(descriptor);
  }
}

CounterSet::Kind CounterSet::KindOf(const Event& event) {
  if (event.hardware) return Kind::kHardware;
  const bool clock = event.generic == "task-clock" || event.generic == "cpu-clock";
  return clock ? Kind::kClock : Kind::kSoftware;
}

void CounterSet::FindLeaders() {
  first_on_.clear();
  last_on_.clear();
  AddLeaders(Kind::kSoftware, first_on_);
  AddLeaders(Kind::kClock, last_on_);
  AddLeaders(Kind::kHardware, last_on_);
}

void CounterSet::AddLeaders(Kind kind, std::vector<int>& leaders) const {
  for (const Counter& counter : counters_) {
    if (KindOf(counter.event) != kind) continue;
    leaders.insert(leaders.end(), counter.leaders.begin(), counter.leaders.end());
  }
}

void CounterSet::EnableFirst() {
  for (const int leader : first_on_) system_.Enable(leader);
}

void CounterSet::EnableLast() {
  for (const int leader : last_on_) system_.Enable(leader);
}

void CounterSet::DisableFirst() {
  for (const int leader : last_on_ | std::views::reverse) system_.Disable(leader);
}

void CounterSet::DisableLast() {
  for (const int leader : first_on_ | std::views::reverse) system_.Disable(leader);
}

void CounterSet::SelfTest() {
  const size_t groups = counters_.empty() ? 0 : counters_.back().group + 1;
  for (size_t group = 0; group < groups; ++group) SelfTestGroup(group);
  FindLeaders();
}

// One group at a time, so that each has the PMU to itself.
void CounterSet::SelfTestGroup(size_t group) {
  std::vector<Counter*> tested;
  std::vector<int> leaders;
  for (Counter& counter : counters_) {
    if (counter.group != group) continue;
    leaders.insert(leaders.end(), counter.leaders.begin(), counter.leaders.end());
    if (counter.source == CounterSource::kPerf && LeastCount(counter.event) > 0) {
      tested.push_back(&counter);
    }
  }
  if (tested.empty()) return;
  for (const int leader : leaders) system_.Enable(leader);
  system_.RunSelfTestLoop();
  for (const int leader : leaders) system_.Disable(leader);
  for (Counter* counter : tested) {
    int error = 0;
    const PerfCount count = ReadCounter(*counter, error);
    const bool always_on = count.running_ns > 0 && count.running_ns >= count.enabled_ns;
    if (error == 0 && always_on && count.value < LeastCount(counter->event)) {
      Suspect(*counter, count.value);
    }
  }
}

void CounterSet::Suspect(Counter& counter, uint64_t value) {
  if (!counter.event.hardware && opener_.UseFallback(counter)) return;
  counter.status = CounterStatus::kSuspect;
  counter.cause = fmt::format(
      "it opens, but the self-test read {} where at least {} was due: this CPU or virtual machine "
      "does not really count it",
      value, LeastCount(counter.event));
}

void CounterSet::SuspectAs(const CounterSet& tested) {
  for (size_t i = 0; i < counters_.size(); ++i) {
    const Counter& other = tested.counters_[i];
    if (other.status != CounterStatus::kSuspect || counters_[i].source != CounterSource::kPerf) {
      continue;
    }
    counters_[i].status = other.status;
    counters_[i].cause = other.cause;
  }
}

// Kinds of core count in turn, as the threads move: their counts and running times add up.
PerfCount CounterSet::ReadCounter(const Counter& counter, int& error) {
  PerfCount sum;
  for (const int descriptor : counter.descriptors) {
    PerfCount count;
    const int result = system_.Read(descriptor, count);
    if (result < 0) error = -result;
    sum.value += count.value;
    sum.enabled_ns = std::max(sum.enabled_ns, count.enabled_ns);
    sum.running_ns += count.running_ns;
  }
  return sum;
}

void CounterSet::ReadUsage(CounterSnapshot& snapshot) {
  snapshot.usage = system_.Usage();
  snapshot.monotonic_ns = system_.MonotonicNs();
}

CounterSnapshot CounterSet::Read(Edge edge) {
  const bool with_migrations = std::ranges::any_of(counters_, [](const Counter& counter) {
    return counter.source == CounterSource::kMigrations;
  });
  CounterSnapshot snapshot;
  if (with_migrations && edge == Edge::kBegin) snapshot.migrations = system_.ThreadMigrations();
  ReadUsage(snapshot);
  snapshot.counts.resize(counters_.size());
  snapshot.errors.resize(counters_.size());
  for (size_t i = 0; i < counters_.size(); ++i) {
    snapshot.counts[i] = ReadCounter(counters_[i], snapshot.errors[i]);
  }
  if (with_migrations && edge == Edge::kEnd) snapshot.migrations = system_.ThreadMigrations();
  return snapshot;
}

std::vector<CounterReading> CounterSet::Readings(const CounterSnapshot& from,
                                                 const CounterSnapshot& to) const {
  std::vector<CounterReading> readings;
  for (size_t i = 0; i < counters_.size(); ++i) readings.push_back(Reading(i, from, to));
  return readings;
}

CounterReading CounterSet::Reading(size_t index, const CounterSnapshot& from,
                                   const CounterSnapshot& to) const {
  const Counter& counter = counters_[index];
  CounterReading reading;
  reading.event = counter.event.name;
  reading.modifiers = counter.modifiers;
  reading.generic = counter.event.generic;
  reading.hardware = counter.event.hardware;
  reading.asked_by_name = counter.event.asked_by_name;
  reading.status = counter.status;
  reading.cause = counter.cause;
  reading.source = SourceName(counter.source);
  if (counter.source == CounterSource::kNone) return reading;
  if (counter.source == CounterSource::kPerf) {
    const int error = from.errors[index] != 0 ? from.errors[index] : to.errors[index];
    FillFromPerf(reading, Difference(to.counts[index], from.counts[index]), error);
    return reading;
  }
  reading.enabled_ns = reading.running_ns = to.monotonic_ns - from.monotonic_ns;
  if (counter.source == CounterSource::kUsage) {
    const uint64_t later = UsageOf(counter.event.generic, to.usage).value_or(0);
    const uint64_t earlier = UsageOf(counter.event.generic, from.usage).value_or(0);
    reading.value = static_cast<double>(later - earlier);
  } else if (from.migrations && to.migrations) {
    reading.value = static_cast<double>(MigrationsBetween(*from.migrations, *to.migrations));
  } else {
    SetUncounted(reading, CounterStatus::kNotCounted, "/proc/self/task could not be read");
  }
  return reading;
}

}  // namespace metrics
