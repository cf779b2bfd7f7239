// Owns the rules of the verdict.
#include "apps/throughput-compare/comparison.h"

#include <algorithm>

namespace throughput {
namespace {

Verdict VerdictOn(const Estimate& estimate, Better better, double level) {
  if (std::min(estimate.runs_before, estimate.runs_after) < kFewestRuns) {
    return Verdict::kNotEnoughRuns;
  }
  if (estimate.pvalue < level) {
    const bool rose = estimate.after > estimate.before;
    return rose == (better == Better::kHigher) ? Verdict::kBetter : Verdict::kWorse;
  }
  if (estimate.smallest_percent.value_or(0) > kUselessPercent) return Verdict::kNotEnoughRuns;
  return Verdict::kNoDifference;
}

}  // namespace

std::vector<Judged> JudgeAll(const std::vector<Sample>& samples, bool paired) {
  const double level = kFamilyLevel / static_cast<double>(samples.size());
  std::vector<Judged> all;
  for (const Sample& sample : samples) {
    const Estimate estimate = EstimateChange(sample.before, sample.after, paired, level);
    all.push_back({sample, estimate, VerdictOn(estimate, sample.better, level)});
  }
  return all;
}

std::optional<double> HalfWidth(const Estimate& estimate) {
  if (!estimate.low_percent) return std::nullopt;
  return std::max(*estimate.high_percent - *estimate.change_percent,
                  *estimate.change_percent - *estimate.low_percent);
}

}  // namespace throughput
