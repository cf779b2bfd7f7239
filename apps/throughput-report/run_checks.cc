// Owns the ranges of figures and the names of units.
#include "apps/throughput-report/run_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <string_view>

#include "apps/results/text.h"

namespace throughput {
namespace {

constexpr double kMaxFigure = 1e15;  // above any of a machine; axes and tables stay readable

struct Figure {
  std::string_view name;
  double value = 0;
  double lowest = 0;
};

Result<void> CheckFigures(std::initializer_list<Figure> figures, const std::string& where) {
  for (const Figure& figure : figures) {
    if (figure.value >= figure.lowest && figure.value <= kMaxFigure) continue;
    return Refused(fmt::format("{}: {} is {:.6g}: {} to {:.0e} is allowed", where, figure.name,
                               figure.value, figure.lowest, kMaxFigure));
  }
  return {};
}

// Ends rise, but for a last one: a sample may be taken while the window closes, and the window's
// own end then stands behind it.
Result<void> CheckIntervals(const metrics::ResultRecord& run, const std::string& where) {
  double end = 0;
  for (const metrics::Interval& interval : run.intervals) {
    const bool last = &interval == &run.intervals.back();
    const bool rises = interval.end_seconds > (last ? 0 : end);
    if (!rises || !(interval.end_seconds <= kMaxFigure)) {
      return Refused(fmt::format("{}: an interval ends at {:.6g} s, the one before it at {:.6g} s",
                                 where, interval.end_seconds, end));
    }
    auto fits =
        CheckFigures({{"rows of an interval", static_cast<double>(interval.rows), 0}}, where);
    if (!fits) return fits;
    end = interval.end_seconds;
  }
  return {};
}

}  // namespace

std::string EnvironmentName(size_t index) {
  constexpr size_t kLetters = 26;
  if (index < kLetters) return std::string(1, static_cast<char>('A' + index));
  return fmt::format("{}", index + 1);
}

const metrics::CounterReading* CountedReading(const metrics::ResultRecord& run,
                                              const std::string& event) {
  for (const metrics::CounterReading& reading : run.counters) {
    const bool named = reading.event == event || reading.generic == event;
    if (named && reading.status == metrics::CounterStatus::kCounted) return &reading;
  }
  return nullptr;
}

Result<void> CheckRun(const metrics::ResultRecord& run, const std::string& where) {
  auto fits = CheckFigures({{"threads", static_cast<double>(run.threads), 1},
                            {"batch_size", static_cast<double>(run.batch_size), 1},
                            {"compute_us", static_cast<double>(run.compute_us), 0},
                            {"rows", static_cast<double>(run.rows), 0},
                            {"transactions", static_cast<double>(run.transactions), 0},
                            {"seconds", run.seconds, 0},
                            {"rows_per_second", run.rows_per_second, 0}},
                           where);
  for (const metrics::CounterReading& reading : run.counters) {
    if (!fits) break;
    if (reading.status != metrics::CounterStatus::kCounted) continue;
    fits = CheckFigures({{Printable(reading.event), reading.value, 0}}, where);
  }
  return fits ? CheckIntervals(run, where) : fits;
}

Result<void> UnitCheck::Accept(const metrics::ResultRecord& run, const std::string& where) {
  const auto* reading = CountedReading(run, "instructions");
  if (reading == nullptr) return {};
  std::string unit = "instructions";
  if (!reading->modifiers.empty()) unit += ":" + Printable(reading->modifiers);
  if (reading->source == "callgrind") unit += " (callgrind)";
  if (unit_.empty()) {
    unit_ = unit;
    where_ = where;
  }
  if (unit == unit_) return {};
  return Refused(fmt::format("{}: counts {}, but {} counts {}: report them apart", where, unit,
                             where_, unit_));
}

}  // namespace throughput
