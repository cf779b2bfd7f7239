// Figures against such that were worked out elsewhere, and the cases in which a test breaks.
#include "apps/throughput-compare/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace throughput {
namespace {

using Values = std::vector<double>;

TEST(Estimate, OfOneSideWithoutSpreadIsCertain) {
  for (const bool paired : {false, true}) {
    const auto estimate = EstimateChange(Values{115, 114, 115, 115, 115},
                                         Values{78.8, 78.8, 78.8, 78.8, 78.8}, paired, 0.01);
    EXPECT_NEAR(*estimate.change_percent, -31.36, 0.01);
    EXPECT_LT(estimate.pvalue, 1e-6);
    EXPECT_LT(*estimate.high_percent, -30);
  }
}

TEST(Estimate, OfTwoConstantsThatDifferIsCertain) {
  for (const bool paired : {false, true}) {
    const auto estimate = EstimateChange(Values(4, 1), Values(4, 2), paired, 0.01);
    EXPECT_NEAR(*estimate.change_percent, 100, 1e-9);
    EXPECT_LT(estimate.pvalue, 1e-6);
    EXPECT_GT(estimate.pvalue, 0);
  }
}

TEST(Estimate, OfTwoEqualConstantsSaysWhatCouldHaveBeenSeen) {
  for (const bool paired : {false, true}) {
    const auto estimate = EstimateChange(Values(5, 7), Values(5, 7), paired, 0.01);
    EXPECT_EQ(*estimate.change_percent, 0);
    EXPECT_EQ(estimate.pvalue, 1);
    EXPECT_GT(*estimate.smallest_percent, 0);
    EXPECT_LT(*estimate.smallest_percent, 0.2);
  }
}

TEST(Estimate, OfZerosAloneHasNoPercentageAndNoDifference) {
  const auto estimate = EstimateChange(Values(5, 0), Values(5, 0), true, 0.01);
  EXPECT_EQ(estimate.pvalue, 1);
  EXPECT_FALSE(estimate.change_percent);
}

TEST(Estimate, FromNothingToSomethingIsCertainWithoutAPercentage) {
  const auto estimate = EstimateChange(Values(5, 0), Values(5, 3), true, 0.01);
  EXPECT_LT(estimate.pvalue, 1e-6);
  EXPECT_FALSE(estimate.change_percent);
  EXPECT_EQ(estimate.after, 3);
}

TEST(Estimate, TakesFiguresWithAZeroAmongThemAsTheyAre) {
  const auto estimate = EstimateChange(Values{0, 2, 1, 1}, Values{3, 5, 4, 4}, false, 0.01);
  EXPECT_NEAR(*estimate.change_percent, 300, 1e-9);
}

TEST(Estimate, IsWelchsTestOnLogarithms) {
  const Values before{std::exp(-0.1), 1, std::exp(0.1)};
  const Values after{std::exp(0.1), std::exp(0.2), std::exp(0.3)};
  const auto estimate = EstimateChange(before, after, false, 0.05);
  // t = 0.2 / sqrt(2 * 0.01 / 3) = 2.4495 at 4 degrees of freedom: p = 0.0705
  EXPECT_NEAR(estimate.pvalue, 0.0705, 1e-4);
  // half the interval: 2.7764 * 0.081650 = 0.22670
  EXPECT_NEAR(*estimate.low_percent, 100 * std::expm1(0.2 - 0.22670), 0.01);
  EXPECT_NEAR(*estimate.high_percent, 100 * std::expm1(0.2 + 0.22670), 0.01);
}

// Pairs differ by 0.1, 0.2, 0.3 in logarithms: t = 0.2 / (0.1 / sqrt 3) = 3.4641 at 2 degrees of
// freedom, p = 0.0742.
TEST(Estimate, OfPairsIsStudentsTestOnTheirRatios) {
  const Values before{100, 1000, 10};
  const Values after{100 * std::exp(0.1), 1000 * std::exp(0.2), 10 * std::exp(0.3)};
  EXPECT_NEAR(EstimateChange(before, after, true, 0.05).pvalue, 0.0742, 1e-4);
}

TEST(Estimate, OfPairsIgnoresWhatMovesBoth) {
  Values before;
  Values after;
  for (int i = 0; i < 10; ++i) {
    const double disk = std::exp(i % 5);
    before.push_back(disk * (1 + 0.001 * (i % 3)));
    after.push_back(disk * 1.02 * (1 + 0.001 * (i % 4)));
  }
  EXPECT_LT(EstimateChange(before, after, true, 0.01).pvalue, 1e-6);
  EXPECT_GT(EstimateChange(before, after, false, 0.01).pvalue, 0.5);
}

TEST(Estimate, SetsNoBoundWhereTheRunsSetNone) {
  for (const bool paired : {false, true}) {
    const auto estimate = EstimateChange(Values{1e-90, 1e90}, Values{1e90, 1e-90}, paired, 0.001);
    EXPECT_TRUE(std::isfinite(*estimate.change_percent));
    EXPECT_EQ(*estimate.low_percent, -100);
    EXPECT_TRUE(std::isinf(*estimate.high_percent));
    EXPECT_TRUE(std::isinf(*estimate.smallest_percent));
  }
  const auto linear = EstimateChange(Values{0, 1e-9}, Values{1e9, 0}, false, 0.001);
  EXPECT_LT(*linear.low_percent, -1e300);
  EXPECT_GT(*linear.high_percent, 1e300);
}

TEST(Estimate, SetsBoundsAroundALargeChangeThatIsKnownWell) {
  const auto estimate = EstimateChange(Values(5, 1), Values(5, 1e7), true, 0.01);
  EXPECT_NEAR(*estimate.change_percent, 1e9, 1e7);
  EXPECT_NEAR(*estimate.low_percent, 1e9, 1e7);
  EXPECT_NEAR(*estimate.high_percent, 1e9, 1e7);
}

}  // namespace
}  // namespace throughput
