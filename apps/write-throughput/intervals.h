// Cuts the window into the intervals of --interval: what was acknowledged and counted in each.
// Thread rule: the watching thread.
// Invariants: the rows and the counters of all intervals add up to those of the window; each begins
// where the one before it ended and is longer than nothing.
#pragma once

#include <vector>

#include "apps/write-throughput/window.h"
#include "metrics/counter_selection.h"
#include "metrics/result_record.h"

namespace throughput {

class Intervals {
 public:
  // So many are kept apart; what comes after them, days into a run, becomes one with the last.
  static constexpr size_t kMost = 100'000;

  Intervals(Window& window, metrics::CounterMode mode) : window_(window), mode_(mode) {}

  // Ends an interval `seconds` after the window opened, at `rows` acknowledged in all.
  void End(double seconds, int64_t rows);

  // Ends the last one, once the window is closed. A sample may have been taken while it closed, and
  // lie behind its end: the last interval then takes the place of the one that sample ended.
  void EndLast(double seconds, int64_t rows);

  std::vector<metrics::Interval> Take() { return std::move(intervals_); }

 private:
  void Add(double seconds, int64_t rows);

  Window& window_;
  const metrics::CounterMode mode_;
  int64_t rows_ = 0;  // up to the end of the latest
  std::vector<metrics::Interval> intervals_;
};

}  // namespace throughput
