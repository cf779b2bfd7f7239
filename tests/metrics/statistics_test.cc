#include "metrics/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace metrics {
namespace {

TEST(Statistics, OfAKnownSample) {
  const std::vector<double> values = {2, 4, 4, 4, 5, 5, 7, 9};
  EXPECT_DOUBLE_EQ(Mean(values), 5);
  EXPECT_DOUBLE_EQ(Median(values), 4.5);
  EXPECT_DOUBLE_EQ(StandardDeviation(values), std::sqrt(32.0 / 7));
  EXPECT_DOUBLE_EQ(StandardError(values), std::sqrt(32.0 / 7 / 8));
  EXPECT_DOUBLE_EQ(MedianAbsoluteDeviation(values), 0.5);
}

TEST(Statistics, MedianDoesNotDependOnTheOrder) {
  const std::vector<double> values = {9, 1, 5};
  EXPECT_DOUBLE_EQ(Median(values), 5);
  EXPECT_EQ(values, (std::vector<double>{9, 1, 5}));
}

TEST(Statistics, EqualValuesHaveExactlyNoSpread) {
  for (const double value : {7.0, 0.1, 106875.21, 1e300, 3e-9}) {
    const std::vector<double> values(7, value);
    EXPECT_DOUBLE_EQ(Mean(values), value);
    EXPECT_EQ(StandardDeviation(values), 0);
    EXPECT_EQ(StandardError(values), 0);
    EXPECT_EQ(MedianAbsoluteDeviation(values), 0);
  }
}

TEST(Statistics, ASingleValueHasNoSpread) {
  const std::vector<double> values = {3.5};
  EXPECT_EQ(Mean(values), 3.5);
  EXPECT_EQ(Median(values), 3.5);
  EXPECT_EQ(StandardDeviation(values), 0);
  EXPECT_EQ(StandardError(values), 0);
}

TEST(Statistics, ASmallSpreadOnALargeValueIsNotLost) {
  const std::vector<double> values = {1e9 + 1, 1e9 + 2, 1e9 + 3};
  EXPECT_DOUBLE_EQ(StandardDeviation(values), 1);
}

}  // namespace
}  // namespace metrics
