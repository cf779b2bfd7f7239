#include "apps/write-throughput/intervals.h"

namespace throughput {

void Intervals::End(double seconds, int64_t rows) {
  if (intervals_.size() + 1 < kMost) Add(seconds, rows);
}

void Intervals::EndLast(double seconds, int64_t rows) { Add(seconds, rows); }

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
