// The t-test against values worked out by hand or by SciPy's ttest_ind_from_stats.
#include "apps/throughput-changes/significance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace throughput {
namespace {

LevelComparison Compare(const std::vector<double>& before, const std::vector<double>& after) {
  return CompareLevels(before, after);
}

TEST(CompareLevels, UsesThePopulationsStandardDeviation) {
  const auto levels = Compare({1, 3}, {5, 9});
  EXPECT_EQ(levels.mean_before, 2);
  EXPECT_EQ(levels.mean_after, 7);
  EXPECT_EQ(levels.stddev_before, 1);
  EXPECT_EQ(levels.stddev_after, 2);
  // t = 5 / sqrt((1 + 4) / 2) = sqrt(10) at 2 degrees: p = 1 - t / sqrt(2 + t^2)
  EXPECT_NEAR(levels.pvalue, 1 - std::sqrt(10.0 / 12), 1e-12);
}

TEST(CompareLevels, OfTwoValuesSaysNothing) { EXPECT_EQ(Compare({1}, {100}).pvalue, 1); }

TEST(CompareLevels, OfDifferentLevelsWithoutSpreadIsCertain) {
  EXPECT_EQ(Compare({1, 1, 1}, {2}).pvalue, 0);
}

TEST(CompareLevels, OfEqualLevelsWithoutSpreadHasNoPvalue) {
  EXPECT_TRUE(std::isnan(Compare({1, 1}, {1, 1}).pvalue));
}

TEST(CompareLevels, CountsBothSides) {
  const auto levels = Compare({1, 2, 3}, {4});
  EXPECT_EQ(levels.count_before, 3);
  EXPECT_EQ(levels.count_after, 1);
}

TEST(LevelComparison, MeasuresChangeFromBeforeAndMagnitudeFromTheSmaller) {
  const auto halved = Compare({10, 10}, {5, 5});
  EXPECT_EQ(halved.ChangePercent(), -50);
  EXPECT_EQ(halved.Magnitude(), 1);
}

TEST(LevelComparison, FromNothingHasNoPercentButAMagnitude) {
  const auto levels = Compare({0, 0}, {1, 1});
  EXPECT_EQ(levels.ChangePercent(), 0);
  EXPECT_EQ(levels.Magnitude(), 1);
}

}  // namespace
}  // namespace throughput
