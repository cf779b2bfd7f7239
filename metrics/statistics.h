// Figures over the repeats of a measurement, on top of Boost.Math's.
// All take at least one finite value; the order of the values does not matter.
// Thread rule: functions of their arguments.
#pragma once

#include <span>

namespace metrics {

double Mean(std::span<const double> values);
double Median(std::span<const double> values);  // of an even number: the mean of the middle two

// With n - 1 in the divisor; 0 for a single value, and exactly 0 where all are equal.
double StandardDeviation(std::span<const double> values);

// Of the mean: standard deviation / sqrt(n). What perf stat -r prints as "+-", as a share of the
// mean.
double StandardError(std::span<const double> values);

// Median of the distances from the median.
double MedianAbsoluteDeviation(std::span<const double> values);

}  // namespace metrics
