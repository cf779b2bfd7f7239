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

// What is left of the window after the last whole interval is too short for a rate of its own: it
// counts with the interval before it, also where that ended, sampled late, behind the window.
std::vector<Sample> SamplesOf(const metrics::ResultRecord& run) {
  std::vector<Sample> samples;
  std::vector<double> lengths;
  double start = 0;
  for (const metrics::Interval& interval : run.intervals) {
    const double length = interval.end_seconds - start;
    const auto rows = static_cast<double>(interval.rows);
    const bool last = samples.size() + 1 == run.intervals.size();
    if (last && !samples.empty() && 2 * length < metrics::Median(lengths)) {
      Sample& before = samples.back();
      const double rest = std::max(length, 0.0);
      before = {before.end + rest, before.length + rest, before.rows + rows};
      break;
    }
    samples.push_back({interval.end_seconds, length, rows});
    lengths.push_back(length);
    start = interval.end_seconds;
  }
  return samples;
}

void MarkStalls(TimeCourse& course, const std::vector<double>& lengths) {
  double current = 0;
  for (size_t i = 0; i < course.points.size(); ++i) {
    Point& point = course.points[i];
    point.stalled = point.y.median <= kStallShare * course.median_rate;
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
  course.load = LoadText(cell);
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

// One scale can show them all.
bool RatesAreClose(const std::vector<TimeCourse>& courses) {
  constexpr double kWide = 8;
  const auto [low, high] = std::minmax_element(
      courses.begin(), courses.end(),
      [](const TimeCourse& a, const TimeCourse& b) { return a.median_rate < b.median_rate; });
  return high->median_rate <= kWide * low->median_rate;
}

Picture EmptyPicture(const std::string& title, size_t number) {
  Picture picture;
  picture.kind = PictureKind::kSteps;
  picture.name = fmt::format("over-time-{}", number);
  picture.title = title;
  picture.x = {"seconds since the window opened", "s"};
  picture.y = {"rows/s", "rows/s"};
  return picture;
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
  std::map<std::pair<int64_t, int>, std::vector<TimeCourse>> loads;
  for (const Cell* cell : CellsOfLowestCompute(study)) {
    if (auto course = FirstCourse(*cell)) {
      loads[{cell->batch_size, cell->threads}].push_back(*std::move(course));
    }
  }
  std::vector<Picture> pictures;
  for (auto& [load, courses] : loads) {
    const bool together = RatesAreClose(courses);
    for (TimeCourse& course : courses) {
      const bool starts = !together || &course == &courses.front();
      if (starts) pictures.push_back(EmptyPicture(course.load, pictures.size() + 1));
      const std::string& label = study.series[course.series];
      if (!together) pictures.back().title = label + ", " + course.load;
      pictures.back().lines.push_back({label, course.series, std::move(course.points)});
    }
  }
  return pictures;
}

}  // namespace throughput
