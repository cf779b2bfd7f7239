#include "apps/write-throughput/thread_rows.h"

#include <algorithm>

namespace throughput {
namespace {

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
  for (metrics::ThreadReadings& thread : threads) {
    thread.counters = metrics::SelectShown(std::move(thread.counters), mode).readings;
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
