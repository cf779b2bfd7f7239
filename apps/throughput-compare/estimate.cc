// Owns the arithmetic of the test. Invariant: no figure of an estimate is NaN, and none but a bound
// is infinite.
#include "apps/throughput-compare/estimate.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "metrics/statistics.h"

namespace throughput {
namespace {

using Values = std::vector<double>;

struct Difference {
  double mean = 0;
  double standard_error = 0;
  double degrees_of_freedom = 1;
};

bool AllAboveZero(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
}

Values Transformed(std::span<const double> values, double (*transform)(double)) {
  Values transformed(values.size());
  std::transform(values.begin(), values.end(), transformed.begin(), transform);
  return transformed;
}

double Spread(const Values& values, double resolution) {
  return std::max(metrics::StandardDeviation(values), resolution);
}

Difference OfPairs(const Values& before, const Values& after, double resolution) {
  Values differences(before.size());
  std::transform(after.begin(), after.end(), before.begin(), differences.begin(), std::minus<>());
  const auto pairs = static_cast<double>(differences.size());
  return {metrics::Mean(differences),
          Spread(differences, resolution * std::sqrt(2)) / std::sqrt(pairs), pairs - 1};
}

Difference OfSides(const Values& before, const Values& after, double resolution) {
  const auto n_before = static_cast<double>(before.size());
  const auto n_after = static_cast<double>(after.size());
  const double share_before = std::pow(Spread(before, resolution), 2) / n_before;
  const double share_after = std::pow(Spread(after, resolution), 2) / n_after;
  Difference difference;
  difference.mean = metrics::Mean(after) - metrics::Mean(before);
  const double variance = share_before + share_after;
  difference.standard_error = std::sqrt(variance);
  if (variance > 0) {
    // Shares of 1, as squares of small variances may be too small for a double.
    difference.degrees_of_freedom = 1 / (std::pow(share_before / variance, 2) / (n_before - 1) +
                                         std::pow(share_after / variance, 2) / (n_after - 1));
  } else {
    difference.degrees_of_freedom = n_before + n_after - 2;
  }
  return difference;
}

Difference Between(const Values& before, const Values& after, bool paired, double resolution) {
  return paired ? OfPairs(before, after, resolution) : OfSides(before, after, resolution);
}

// What turns a difference into per cent: of logarithms, or as a share of the mean before.
struct Scale {
  bool logarithmic = true;
  double mean_before = 0;

  // Nothing where no percentage can express it: of nothing, or beyond a double.
  std::optional<double> Percent(double difference) const {
    if (!logarithmic && mean_before == 0) return std::nullopt;
    const double percent =
        100 * (logarithmic ? std::expm1(difference) : difference / std::abs(mean_before));
    return std::isfinite(percent) ? std::optional(percent) : std::nullopt;
  }

  // Of an interval around `change`: infinite where it lies so far off that it says nothing.
  double Bound(double difference, double change) const {
    constexpr double kMostPercent = 1e6;
    const auto percent = Percent(difference);
    const double most = std::max(kMostPercent, 10 * std::abs(change));
    if (percent && std::abs(*percent) <= most) return *percent;
    return std::copysign(std::numeric_limits<double>::infinity(), difference);
  }
};

void Judge(const Difference& difference, const Scale& scale, double level, Estimate& estimate) {
  estimate.change_percent = scale.Percent(difference.mean);
  const double error = difference.standard_error;
  if (error == 0) {  // nothing but zeros
    estimate.pvalue = 1;
    return;
  }
  const boost::math::students_t distribution(difference.degrees_of_freedom);
  const double t = std::abs(difference.mean) / error;
  estimate.pvalue = 2 * boost::math::cdf(boost::math::complement(distribution, t));
  const double critical = boost::math::quantile(boost::math::complement(distribution, level / 2));
  const double reserve = boost::math::quantile(distribution, kPower);
  if (!estimate.change_percent) return;
  const double change = *estimate.change_percent;
  estimate.low_percent = scale.Bound(difference.mean - critical * error, change);
  estimate.high_percent = scale.Bound(difference.mean + critical * error, change);
  estimate.smallest_percent = scale.Bound((critical + reserve) * error, 0);
}

}  // namespace

Estimate EstimateChange(std::span<const double> before, std::span<const double> after, bool paired,
                        double level) {
  Estimate estimate;
  estimate.runs_before = before.size();
  estimate.runs_after = after.size();
  if (AllAboveZero(before) && AllAboveZero(after)) {
    const Values log_before = Transformed(before, std::log);
    const Values log_after = Transformed(after, std::log);
    estimate.before = std::exp(metrics::Mean(log_before));
    estimate.after = std::exp(metrics::Mean(log_after));
    Judge(Between(log_before, log_after, paired, kResolution), {}, level, estimate);
    return estimate;
  }
  estimate.before = metrics::Mean(before);
  estimate.after = metrics::Mean(after);
  const double resolution =
      kResolution * std::max(std::abs(estimate.before), std::abs(estimate.after));
  const Difference difference =
      Between({before.begin(), before.end()}, {after.begin(), after.end()}, paired, resolution);
  Judge(difference, {false, estimate.before}, level, estimate);
  return estimate;
}

}  // namespace throughput
