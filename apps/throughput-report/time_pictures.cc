// Owns the rule of what a stall is.
#include "apps/throughput-report/time_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "apps/throughput-report/load_pictures.h"
#include "metrics/statistics.h"

namespace throughput {
namespace {

struct Sample {
  double end = 0;     // seconds since the window opened
  double length = 0;  // seconds, above 0
  double rows = 0;
};

// A last interval that ends no later than the one before it is part of that one.
std::vector<Sample> SamplesOf(const metrics::ResultRecord& run) {
  std::vector<Sample> samples;
  double start = 0;
  for (const metrics::Interval& interval : run.intervals) {
    const auto rows = static_cast<double>(interval.rows);
    if (interval.end_seconds > start) {
      samples.push_back({interval.end_seconds, interval.end_seconds - start, rows});
      start = interval.end_seconds;
    } else {
      samples.back().rows += rows;
    }
  }
  return samples;
}

void MarkStalls(TimeCourse& course, const std::vector<double>& lengths) {
  const double usual_length = metrics::Median(lengths);
  double current = 0;
  for (size_t i = 0; i < course.points.size(); ++i) {
    Point& point = course.points[i];
    const bool whole = i + 1 < course.points.size() || 2 * lengths[i] >= usual_length;
    point.stalled = whole && point.y.median <= kStallShare * course.median_rate;
    if (!point.stalled) {
      current = 0;
      continue;
    }
    if (current == 0) ++course.stalls;
    current += lengths[i];
    course.stalled_seconds += lengths[i];
    course.longest_seconds = std::max(course.longest_seconds, current);
  }
}

std::optional<TimeCourse> CourseOf(const Cell& cell, const metrics::ResultRecord& run) {
  const std::vector<Sample> samples = SamplesOf(run);
  if (samples.size() < 2) return std::nullopt;
  std::vector<double> rates;
  std::vector<double> rows;
  std::vector<double> lengths;
  TimeCourse course;
  for (const Sample& sample : samples) {
    rows.push_back(sample.rows);
    lengths.push_back(sample.length);
    rates.push_back(sample.rows / sample.length);
    course.points.push_back({sample.end, SpreadOf({rates.back()})});
  }
  course.series = cell.series;
  course.repeat = run.repeat;
  course.load = fmt::format("{}, {}, {}", ThreadsText(cell.threads), BatchText(cell.batch_size),
                            ComputeText(cell.compute_us));
  course.median_rate = metrics::Median(rates);
  course.judged = metrics::Median(rows) >= kFewTransactions * static_cast<double>(cell.batch_size);
  if (course.judged) MarkStalls(course, lengths);
  return course;
}

std::optional<TimeCourse> FirstCourse(const Cell& cell) {
  for (const metrics::ResultRecord& run : cell.runs) {
    if (auto course = CourseOf(cell, run)) return course;
  }
  return std::nullopt;
}

}  // namespace

std::vector<TimeCourse> TimeCourses(const Study& study) {
  std::vector<TimeCourse> courses;
  for (const Cell& cell : study.cells) {
    for (const metrics::ResultRecord& run : cell.runs) {
      if (auto course = CourseOf(cell, run)) courses.push_back(*std::move(course));
    }
  }
  return courses;
}

std::vector<Picture> ThroughputOverTime(const Study& study) {
  std::map<std::pair<int64_t, int>, Picture> panels;
  for (const Cell* cell : CellsOfLowestCompute(study)) {
    auto course = FirstCourse(*cell);
    if (!course) continue;
    Picture& picture = panels[{cell->batch_size, cell->threads}];
    picture.kind = PictureKind::kSteps;
    picture.title = course->load;
    picture.x = {"seconds since the window opened", "s"};
    picture.y = {"rows/s", "rows/s"};
    picture.lines.push_back({study.series[cell->series], cell->series, std::move(course->points)});
  }
  std::vector<Picture> pictures;
  for (auto& [key, picture] : panels) {
    picture.name = fmt::format("over-time-{}", pictures.size() + 1);
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

}  // namespace throughput
