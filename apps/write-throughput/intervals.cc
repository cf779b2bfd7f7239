#include "apps/write-throughput/intervals.h"

#include <algorithm>
#include <utility>

namespace throughput {
namespace {

// `next` follows `interval`. Both were sampled in one session, so their counters stand in the same
// order.
void Extend(metrics::Interval& interval, const metrics::Interval& next) {
  interval.end_seconds = next.end_seconds;
  interval.rows += next.rows;
  const size_t counters = std::min(interval.counters.size(), next.counters.size());
  for (size_t i = 0; i < counters; ++i) {
    interval.counters[i].value += next.counters[i].value;
    interval.counters[i].enabled_ns += next.counters[i].enabled_ns;
    interval.counters[i].running_ns += next.counters[i].running_ns;
  }
  interval.checkpoint = interval.checkpoint || next.checkpoint;
  interval.merge = interval.merge || next.merge;
  interval.stall = interval.stall || next.stall;
}

}  // namespace

void Intervals::End(double seconds, int64_t rows) {
  if (intervals_.size() + 1 < kMost) Add(seconds, rows);
}

void Intervals::EndLast(double seconds, int64_t rows) {
  Add(seconds, rows);
  while (intervals_.size() > 1 && intervals_[intervals_.size() - 2].end_seconds >= seconds) {
    const metrics::Interval last = std::move(intervals_.back());
    intervals_.pop_back();
    Extend(intervals_.back(), last);
  }
}

void Intervals::Add(double seconds, int64_t rows) {
  metrics::Interval interval;
  interval.end_seconds = seconds;
  interval.rows = static_cast<uint64_t>(rows - rows_);
  interval.counters = metrics::SelectShown(window_.Sample(), mode_).readings;
  const BackgroundSample background = window_.SampleBackground();
  interval.checkpoint = background.checkpoint;
  interval.merge = background.merge;
  interval.stall = background.stall;
  intervals_.push_back(std::move(interval));
  rows_ = rows;
}

}  // namespace throughput
