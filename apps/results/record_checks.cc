// Owns the ranges of figures.
#include "apps/results/record_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "apps/results/text.h"

namespace throughput {
namespace {

constexpr double kAboveZero = std::numeric_limits<double>::min();

struct Figure {
  std::string name;
  double value = 0;
  double lowest = 0;
};

Result<void> CheckFigure(const Figure& figure) {
  if (figure.value >= figure.lowest && figure.value <= kMaxFigure) return {};
  const std::string lowest =
      figure.lowest == kAboveZero ? "above 0" : fmt::format("{:g}", figure.lowest);
  return Refused(fmt::format("{} is {:.6g}: {} to {:.0e} is allowed", figure.name, figure.value,
                             lowest, kMaxFigure));
}

std::vector<Figure> FiguresOf(const metrics::ResultRecord& run) {
  std::vector<Figure> figures = {
      {"threads", double(run.threads), 1},
      {"batch_size", double(run.batch_size), 1},
      {"compute_us", double(run.compute_us), 0},
      {"in_flight", double(run.in_flight), 0},
      {"value_size_bytes", double(run.value_size_bytes), 0},
      {"rows", double(run.rows), 1},
      {"transactions", double(run.transactions), 1},
      {"seconds", run.seconds, kAboveZero},
      {"user_seconds", run.user_seconds, 0},
      {"system_seconds", run.system_seconds, 0},
      {"rows_per_second", run.rows_per_second, kAboveZero},
      {"retries", double(run.retries), 0},
      {"conflicts", double(run.conflicts), 0},
      {"in_doubt", double(run.in_doubt), 0},
      {"syncs", double(run.syncs), 0},
      {"bytes_written", double(run.bytes_written), 0},
  };
  if (run.open_loop) {
    figures.push_back({"rate", double(run.open_loop->rate), 1});
    figures.push_back({"backlog_most", double(run.open_loop->backlog_most), 0});
    figures.push_back({"backlog_last", double(run.open_loop->backlog_last), 0});
  }
  for (const metrics::CounterReading& reading : run.counters) {
    if (reading.status != metrics::CounterStatus::kCounted) continue;
    figures.push_back({Printable(reading.event), reading.value, 0});
  }
  return figures;
}

Result<void> CheckRate(const metrics::ResultRecord& run) {
  constexpr double kTolerance = 1e-3;
  const double rate = static_cast<double>(run.rows) / run.seconds;
  if (std::abs(run.rows_per_second / rate - 1) <= kTolerance) return {};
  return Refused(fmt::format("rows_per_second is {:.6g}: {} rows in {:.6g} seconds are {:.6g}",
                             run.rows_per_second, run.rows, run.seconds, rate));
}

Result<void> CheckIntervals(const metrics::ResultRecord& run) {
  double end = 0;
  for (const metrics::Interval& interval : run.intervals) {
    const bool last = &interval == &run.intervals.back();
    const bool rises = interval.end_seconds > (last ? 0 : end);
    if (!rises || !(interval.end_seconds <= kMaxFigure)) {
      return Refused(fmt::format(
          "intervals: one ends at {:.6g} s, the one before it at {:.6g} s: rising ends are allowed",
          interval.end_seconds, end));
    }
    auto fits = CheckFigure({"rows of an interval", double(interval.rows), 0});
    if (!fits) return fits;
    end = interval.end_seconds;
  }
  return {};
}

}  // namespace

Result<void> CheckRecord(const metrics::ResultRecord& record) {
  if (record.interrupted) return Refused("the run was interrupted");
  if (record.rows == 0 || record.transactions == 0) return Refused("the run has no rows");
  if (record.system.empty()) return Refused("system is '': a name is needed");
  for (const Figure& figure : FiguresOf(record)) {
    if (auto fits = CheckFigure(figure); !fits) return fits;
  }
  if (auto fits = CheckRate(record); !fits) return fits;
  return CheckIntervals(record);
}

}  // namespace throughput
