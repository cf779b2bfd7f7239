#include "apps/write-throughput/thread_rows.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>

namespace throughput {
namespace {

using metrics::CounterReading;
using metrics::ThreadReadings;

// The number in "load-12"; of other threads the largest there is.
int LoadNumber(const std::string& name) {
  constexpr std::string_view kPrefix = "load-";
  int number = std::numeric_limits<int>::max();
  if (name.starts_with(kPrefix)) {
    std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), number);
  }
  return number;
}

bool Before(const ThreadReadings& a, const ThreadReadings& b) {
  return std::tuple(LoadNumber(a.name), a.name) < std::tuple(LoadNumber(b.name), b.name);
}

CounterReading* SameEvent(ThreadReadings& thread, const CounterReading& whole) {
  const auto found = std::find_if(thread.counters.begin(), thread.counters.end(), [&](auto& own) {
    return own.event == whole.event && own.modifiers == whole.modifiers &&
           own.status == metrics::CounterStatus::kCounted;
  });
  return found == thread.counters.end() ? nullptr : &*found;
}

// From the last row on: the load threads, which stand still at the window's ends, come first.
void TakeExcess(const CounterReading& whole, std::vector<ThreadReadings>& threads) {
  double excess = -whole.value;
  for (ThreadReadings& thread : threads) {
    if (const CounterReading* own = SameEvent(thread, whole)) excess += own->value;
  }
  for (auto thread = threads.rbegin(); thread != threads.rend() && excess > 0; ++thread) {
    CounterReading* own = SameEvent(*thread, whole);
    if (own == nullptr || own->source != "proc") continue;
    const double taken = std::min(excess, own->value);
    own->value -= taken;
    excess -= taken;
  }
}

const metrics::CounterReading* TaskClock(const std::vector<metrics::CounterReading>& readings) {
  const auto found = std::find_if(readings.begin(), readings.end(), [](const auto& reading) {
    return reading.generic == "task-clock" && reading.modifiers.empty() &&
           reading.status == metrics::CounterStatus::kCounted;
  });
  return found == readings.end() ? nullptr : &*found;
}

// The two sessions do not begin and end at the same instant, and some accounts come in ticks.
bool Noticeable(double missing_ns, double whole_ns) {
  constexpr double kShare = 0.01;
  constexpr double kLeastNs = 5e6;
  return missing_ns > std::max(kLeastNs, kShare * whole_ns);
}

}  // namespace

void AddThreadRows(std::vector<metrics::ThreadReadings> threads, metrics::CounterMode mode,
                   metrics::ResultRecord& record) {
  double in_rows = 0;
  for (ThreadReadings& thread : threads) {
    thread.counters = metrics::SelectShown(std::move(thread.counters), mode).readings;
  }
  std::stable_sort(threads.begin(), threads.end(), Before);
  for (const CounterReading& whole : record.counters) {
    if (whole.status == metrics::CounterStatus::kCounted) TakeExcess(whole, threads);
  }
  for (const ThreadReadings& thread : threads) {
    if (const auto* clock = TaskClock(thread.counters)) in_rows += clock->value;
  }
  record.thread_counters = std::move(threads);
  const metrics::CounterReading* whole = TaskClock(record.counters);
  if (whole == nullptr || !Noticeable(whole->value - in_rows, whole->value)) return;
  metrics::CounterReading rest = *whole;
  rest.value -= in_rows;
  record.thread_counters.push_back({"(ended)", {rest}});
}

}  // namespace throughput
