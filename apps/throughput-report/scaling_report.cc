// Owns which cells make a sweep, and how its fit is shown.
#include "apps/throughput-report/scaling_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "apps/results/text.h"
#include "apps/throughput-report/load_pictures.h"
#include "apps/throughput-report/scaling_law.h"

namespace throughput {
namespace {

std::string CoefficientText(const Coefficient& coefficient) {
  if (!coefficient.uncertainty) return "0 (at its bound)";
  return fmt::format("{} ± {}", FigureText(coefficient.value),
                     FigureText(*coefficient.uncertainty));
}

Line CurveOf(const ScalingFit& fit, const std::string& label, size_t style) {
  constexpr int kSteps = 64;
  Line curve{label + ", fitted", style, {}};
  for (int i = 0; i <= kSteps; ++i) {
    const double threads = 1 + (fit.most_threads - 1) * i / kSteps;
    const double rate = fit.At(threads);
    curve.points.push_back({threads, {1, rate, rate, rate}});
  }
  return curve;
}

std::vector<std::string> RowOf(const std::string& sweep, const ScalingFit& fit) {
  const auto peak = fit.PeakThreads();
  return {sweep,
          fmt::format("{}", fit.runs),
          fmt::format("{}", fit.thread_counts),
          CoefficientText(fit.lambda),
          CoefficientText(fit.sigma),
          CoefficientText(fit.kappa),
          fmt::format("{:.1f} %", 100 * fit.relative_error),
          fmt::format("{:.3f}", fit.r_squared),
          peak ? fmt::format("{:.1f}", *peak) : "none"};
}

// Runs of each sweep, by series and picture (batch size and compute).
using SweepKey = std::tuple<int64_t, int64_t, size_t>;
struct Sweep {
  std::vector<ScalingPoint> points;
  int cores = 0;
};

std::map<SweepKey, Sweep> SweepsOf(const Study& study) {
  std::map<SweepKey, Sweep> sweeps;
  for (const Cell& cell : study.cells) {
    Sweep& sweep = sweeps[{cell.batch_size, cell.compute_us, cell.series}];
    sweep.cores = cell.runs.front().environment.cores;
    for (const metrics::ResultRecord& run : cell.runs) {
      sweep.points.push_back({double(cell.threads), run.rows_per_second});
    }
  }
  return sweeps;
}

}  // namespace

ScalingReport ScalingOf(const Study& study) {
  ScalingReport report;
  report.coefficients.header = {
      "sweep",         "runs",         "thread counts", "λ, rows/s of one thread",
      "σ, contention", "κ, coherency", "off by (rms)",  "R²",
      "peak, threads"};
  std::map<std::pair<int64_t, int64_t>, std::vector<Line>> curves;
  for (const auto& [key, sweep] : SweepsOf(study)) {
    const auto& [batch_size, compute_us, series] = key;
    const std::string name = fmt::format("{}, {}, {}", study.series[series], BatchText(batch_size),
                                         ComputeText(compute_us));
    const auto fit = FitScaling(sweep.points);
    report.findings.push_back(
        fmt::format("{}: {}", name, fit ? ScalingFinding(*fit, sweep.cores) : fit.error() + "."));
    if (!fit) continue;
    report.coefficients.rows.push_back(RowOf(name, *fit));
    curves[{batch_size, compute_us}].push_back(CurveOf(*fit, study.series[series], series));
  }
  for (Picture& picture : ThreadScaling(study)) {
    const auto& runs = picture.load;
    const auto found = curves.find(runs);
    if (found == curves.end()) continue;
    picture.kind = PictureKind::kFitted;
    picture.name = fmt::format("scaling-law-{}", report.pictures.size() + 1);
    picture.curves = found->second;
    report.pictures.push_back(std::move(picture));
  }
  return report;
}

}  // namespace throughput
