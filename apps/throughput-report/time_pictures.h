// Throughput over time, and where it stalled.
// Thread rule: pure functions.
#pragma once

#include <string>
#include <vector>

#include "apps/throughput-report/picture.h"

namespace throughput {

// An interval is a stall where it acknowledged at most a tenth of the rows per second of the run's
// median interval. Runs whose median interval holds fewer than five transactions are not judged:
// there an interval without rows is chance. A last interval of less than half the median length
// counts with the one before it.
inline constexpr double kStallShare = 0.1;
inline constexpr double kFewTransactions = 5;

// Of one run.
struct TimeCourse {
  size_t series = 0;
  std::string load;  // "4 threads, 100 rows per transaction, no compute"
  int repeat = 0;
  std::vector<Point> points;  // x: end of the interval in seconds, y: rows/s
  double median_rate = 0;     // rows/s
  bool judged = false;
  size_t stalls = 0;  // neighbouring intervals count as one
  double stalled_seconds = 0;
  double longest_seconds = 0;
};

// Of every run that has at least two intervals (--interval), in the order of the cells.
std::vector<TimeCourse> TimeCourses(const Study& study);

// A picture for each batch size and thread count, at the lowest compute of each: the first run of
// each series that has intervals. Where their rates lie too far apart for one scale, a picture for
// each series.
std::vector<Picture> ThroughputOverTime(const Study& study);

}  // namespace throughput
