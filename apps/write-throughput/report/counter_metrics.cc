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

std::vector<Metric> OfInstructions(const CounterFigure& figure,
                                   std::span<const CounterFigure> all) {
  Metric per_cycle;
  if (const auto cycles = Denominator(all, "cycles", figure.modifiers)) {
    per_cycle = {figure.value / *cycles, Metric::Form::kRatio, "insn per cycle"};
  }
  const double stalled =
      std::max(Denominator(all, "stalled-cycles-frontend", figure.modifiers).value_or(0),
               Denominator(all, "stalled-cycles-backend", figure.modifiers).value_or(0));
  if (stalled == 0 || figure.value == 0) return {per_cycle};
  return {per_cycle, {stalled / figure.value, Metric::Form::kRatio, "stalled cycles per insn"}};
}

std::optional<Metric> ShareOf(const CounterFigure& figure, std::span<const CounterFigure> all) {
  for (const Share& share : kShares) {
    if (figure.kind != share.kind) continue;
    const auto whole = Denominator(all, share.of, figure.modifiers);
    if (!whole) return Metric{};
    return Metric{100 * figure.value / *whole, Metric::Form::kPercent, share.label};
  }
  return std::nullopt;
}

std::vector<Metric> OfSimulated(const CounterFigure& figure, std::span<const CounterFigure> all) {
  const std::string mark = "simulated (callgrind)";
  Metric share = ShareOf(figure, all).value_or(Metric{});
  if (share.unit.empty()) return {{0, Metric::Form::kNote, mark}};
  share.unit += ", " + mark;
  return {share};
}

// Steps to the next unit only above 1000: exactly 1000 stays "/sec".
Metric PerSecond(double per_second) {
  constexpr std::array kUnits = {"/sec", "K/sec", "M/sec", "G/sec"};
  size_t unit = 0;
  while (per_second > 1000 && unit + 1 < kUnits.size()) {
    per_second /= 1000;
    ++unit;
  }
  return {per_second, Metric::Form::kRate, kUnits[unit]};
}

}  // namespace

std::vector<Metric> Metrics(const CounterFigure& figure, std::span<const CounterFigure> all,
                            double wall_seconds) {
  if (figure.status != CounterStatus::kCounted) return {{}};
  if (IsClock(figure.kind)) {
    if (wall_seconds <= 0) return {{}};
    return {{figure.value * 1e-9 / wall_seconds, Metric::Form::kRate, "CPUs utilized"}};
  }
  if (figure.source == "callgrind") return OfSimulated(figure, all);
  if (figure.kind == "instructions") return OfInstructions(figure, all);
  if (const auto share = ShareOf(figure, all)) return {*share};
  const auto task_ns = TaskNanoseconds(figure, all);
  if (!task_ns) return {{}};
  if (figure.kind == "cycles") return {{figure.value / *task_ns, Metric::Form::kRate, "GHz"}};
  return {PerSecond(figure.value * 1e9 / *task_ns)};
}

std::string MetricText(const Metric& metric) {
  if (metric.unit.empty()) return "";
  switch (metric.form) {
    case Metric::Form::kRate:
      return fmt::format("{:8.3f} {}", metric.value, metric.unit);
    case Metric::Form::kRatio:
      return fmt::format("{:7.2f}  {}", metric.value, metric.unit);
    case Metric::Form::kPercent:
      return fmt::format("{:7.2f}% {}", metric.value, metric.unit);
    case Metric::Form::kNote:
      return metric.unit;
  }
  return "";
}

}  // namespace throughput
