// Owns the t-test. Invariant: sums run in a fixed order, the one of NumPy's pairwise summation, so
// that the rounding noise of levels like 0.1, 0.1, 0.1 is the same as in Otava: on constant levels
// the verdict hangs on nothing but that noise.
#include "apps/throughput-changes/significance.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace throughput {
namespace {

constexpr size_t kLanes = 8;
constexpr size_t kPairwiseBlock = 128;

double SumInLanes(std::span<const double> values) {
  std::array<double, kLanes> lane{};
  std::copy_n(values.begin(), kLanes, lane.begin());
  size_t i = kLanes;
  for (; i + kLanes <= values.size(); i += kLanes) {
    for (size_t k = 0; k < kLanes; ++k) lane[k] += values[i + k];
  }
  double sum =
      ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
  for (; i < values.size(); ++i) sum += values[i];
  return sum;
}

double PairwiseSum(std::span<const double> values) {
  if (values.size() < kLanes) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
  }
  if (values.size() <= kPairwiseBlock) return SumInLanes(values);
  const size_t half = values.size() / 2;
  const size_t split = half - half % kLanes;
  return PairwiseSum(values.first(split)) + PairwiseSum(values.subspan(split));
}

double Mean(std::span<const double> values) {
  return PairwiseSum(values) / static_cast<double>(values.size());
}

double PopulationStddev(std::span<const double> values, double mean) {
  if (values.size() < 2) return 0;
  std::vector<double> squares;
  squares.reserve(values.size());
  for (const double value : values) squares.push_back((value - mean) * (value - mean));
  return std::sqrt(Mean(squares));
}

double TwoSidedPvalue(double t, double degrees_of_freedom) {
  if (std::isnan(t)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(t)) return 0;
  const boost::math::students_t distribution(degrees_of_freedom);
  return 2 * boost::math::cdf(distribution, -std::abs(t));
}

double RelativeChange(double from, double to) { return from == 0 ? 0 : to / from - 1; }

}  // namespace

double LevelComparison::ChangePercent() const {
  return RelativeChange(mean_before, mean_after) * 100;
}

double LevelComparison::Magnitude() const {
  return std::max(std::abs(RelativeChange(mean_before, mean_after)),
                  std::abs(RelativeChange(mean_after, mean_before)));
}

LevelComparison CompareLevels(std::span<const double> before, std::span<const double> after) {
  LevelComparison result;
  result.count_before = before.size();
  result.count_after = after.size();
  result.mean_before = Mean(before);
  result.mean_after = Mean(after);
  result.stddev_before = PopulationStddev(before, result.mean_before);
  result.stddev_after = PopulationStddev(after, result.mean_after);
  if (before.size() + after.size() <= 2) return result;

  const auto n_before = static_cast<double>(before.size());
  const auto n_after = static_cast<double>(after.size());
  const double degrees_of_freedom = n_before + n_after - 2;
  const double pooled_variance = ((n_before - 1) * (result.stddev_before * result.stddev_before) +
                                  (n_after - 1) * (result.stddev_after * result.stddev_after)) /
                                 degrees_of_freedom;
  const double standard_error = std::sqrt(pooled_variance * (1 / n_before + 1 / n_after));
  result.pvalue =
      TwoSidedPvalue((result.mean_before - result.mean_after) / standard_error, degrees_of_freedom);
  return result;
}

}  // namespace throughput
