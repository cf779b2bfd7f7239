// Owns the metrics derived from counters: which pairs with which, and under what label. Stateless.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "apps/write-throughput/report/counter_figures.h"

namespace throughput {
namespace {

using metrics::CounterStatus;

struct Share {
  const char* kind;
  const char* of;
  const char* label;
};

// Printed as a percentage of another event, or with no metric at all where that is not to be had.
constexpr std::array kShares = {
    Share{"stalled-cycles-frontend", "cycles", "frontend cycles idle"},
    Share{"stalled-cycles-backend", "cycles", "backend cycles idle"},
    Share{"branch-misses", "branches", "of all branches"},
    Share{"cache-misses", "cache-references", "of all cache refs"},
    Share{"L1-dcache-load-misses", "L1-dcache-loads", "of all L1-dcache accesses"},
    Share{"L1-icache-load-misses", "L1-icache-loads", "of all L1-icache accesses"},
    Share{"LLC-load-misses", "LLC-loads", "of all LL-cache accesses"},
    Share{"dTLB-load-misses", "dTLB-loads", "of all dTLB cache accesses"},
    Share{"iTLB-load-misses", "iTLB-loads", "of all iTLB cache accesses"},
};

// The value of the counted event of this kind with these modifiers; nothing where there is none or
// it is 0.
std::optional<double> Denominator(std::span<const CounterFigure> all, std::string_view kind,
                                  std::string_view modifiers) {
  for (const CounterFigure& figure : all) {
    if (figure.kind == kind && figure.modifiers == modifiers &&
        figure.status == CounterStatus::kCounted && figure.value > 0) {
      return figure.value;
    }
  }
  return std::nullopt;
}

std::optional<double> TaskNanoseconds(const CounterFigure& figure,
                                      std::span<const CounterFigure> all) {
  if (const auto own = Denominator(all, "task-clock", figure.modifiers)) return own;
  for (const CounterFigure& clock : all) {
    if (IsClock(clock.kind) && clock.status == CounterStatus::kCounted && clock.value > 0) {
      return clock.value;
    }
  }
  return std::nullopt;
}

std::vector<CounterMetric> OfInstructions(const CounterFigure& figure,
                                          std::span<const CounterFigure> all) {
  CounterMetric per_cycle;
  if (const auto cycles = Denominator(all, "cycles", figure.modifiers)) {
    per_cycle = {figure.value / *cycles, CounterMetric::Form::kRatio, "insn per cycle"};
  }
  const double stalled =
      std::max(Denominator(all, "stalled-cycles-frontend", figure.modifiers).value_or(0),
               Denominator(all, "stalled-cycles-backend", figure.modifiers).value_or(0));
  if (stalled == 0 || figure.value == 0) return {per_cycle};
  return {per_cycle,
          {stalled / figure.value, CounterMetric::Form::kRatio, "stalled cycles per insn"}};
}

std::optional<CounterMetric> ShareOf(const CounterFigure& figure,
                                     std::span<const CounterFigure> all) {
  for (const Share& share : kShares) {
    if (figure.kind != share.kind) continue;
    const auto whole = Denominator(all, share.of, figure.modifiers);
    if (!whole) return CounterMetric{};
    return CounterMetric{100 * figure.value / *whole, CounterMetric::Form::kPercent, share.label};
  }
  return std::nullopt;
}

std::vector<CounterMetric> OfSimulated(const CounterFigure& figure,
                                       std::span<const CounterFigure> all) {
  const std::string mark = "simulated (callgrind)";
  CounterMetric share = ShareOf(figure, all).value_or(CounterMetric{});
  if (share.unit.empty()) return {{0, CounterMetric::Form::kNote, mark}};
  share.unit += ", " + mark;
  return {share};
}

// Steps to the next unit only above 1000: exactly 1000 stays "/sec".
CounterMetric PerSecond(double per_second) {
  constexpr std::array kUnits = {"/sec", "K/sec", "M/sec", "G/sec"};
  size_t unit = 0;
  while (per_second > 1000 && unit + 1 < kUnits.size()) {
    per_second /= 1000;
    ++unit;
  }
  return {per_second, CounterMetric::Form::kRate, kUnits[unit]};
}

}  // namespace

std::vector<CounterMetric> Metrics(const CounterFigure& figure, std::span<const CounterFigure> all,
                                   double wall_seconds) {
  if (figure.status != CounterStatus::kCounted) return {{}};
  if (IsClock(figure.kind)) {
    if (wall_seconds <= 0) return {{}};
    return {{figure.value * 1e-9 / wall_seconds, CounterMetric::Form::kRate, "CPUs utilized"}};
  }
  if (figure.source == "callgrind") return OfSimulated(figure, all);
  if (figure.kind == "instructions") return OfInstructions(figure, all);
  if (const auto share = ShareOf(figure, all)) return {*share};
  const auto task_ns = TaskNanoseconds(figure, all);
  if (!task_ns) return {{}};
  if (figure.kind == "cycles")
    return {{figure.value / *task_ns, CounterMetric::Form::kRate, "GHz"}};
  return {PerSecond(figure.value * 1e9 / *task_ns)};
}

std::string MetricText(const CounterMetric& metric) {
  if (metric.unit.empty()) return "";
  switch (metric.form) {
    case CounterMetric::Form::kRate:
      return fmt::format("{:8.3f} {}", metric.value, metric.unit);
    case CounterMetric::Form::kRatio:
      return fmt::format("{:7.2f}  {}", metric.value, metric.unit);
    case CounterMetric::Form::kPercent:
      return fmt::format("{:7.2f}% {}", metric.value, metric.unit);
    case CounterMetric::Form::kNote:
      return metric.unit;
  }
  return "";
}

}  // namespace throughput
