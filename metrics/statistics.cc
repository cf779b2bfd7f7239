// Thin names over Boost.Math's univariate statistics.
#include "metrics/statistics.h"

#include <boost/math/statistics/univariate_statistics.hpp>
#include <cassert>
#include <cmath>
#include <vector>

namespace metrics {

namespace statistics = boost::math::statistics;

double Mean(std::span<const double> values) {
  assert(!values.empty());
  return statistics::mean(values.begin(), values.end());
}

double Median(std::span<const double> values) {
  assert(!values.empty());
  std::vector<double> scratch(values.begin(), values.end());
  return statistics::median(scratch.begin(), scratch.end());
}

double StandardDeviation(std::span<const double> values) {
  assert(!values.empty());
  if (values.size() < 2) return 0;
  return std::sqrt(statistics::sample_variance(values.begin(), values.end()));
}

double StandardError(std::span<const double> values) {
  return StandardDeviation(values) / std::sqrt(static_cast<double>(values.size()));
}

// Not Boost's: in 1.74 it returns a value of the sample in place of its distance.
double MedianAbsoluteDeviation(std::span<const double> values) {
  const double median = Median(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - median));
  return Median(distances);
}

}  // namespace metrics
