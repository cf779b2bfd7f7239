// The splitter against the definition of the energy statistic, written out without any shortcut.
#include "apps/throughput-changes/divisive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace throughput {
namespace {

double MeanWithin(const std::vector<double>& x, size_t begin, size_t end) {
  double sum = 0;
  for (size_t i = begin; i < end; ++i) {
    for (size_t j = i + 1; j < end; ++j) sum += std::abs(x[i] - x[j]);
  }
  const auto n = static_cast<double>(end - begin);
  return n < 2 ? 0 : 2 * sum / (n * (n - 1));
}

double MeanBetween(const std::vector<double>& x, size_t begin, size_t tau, size_t kappa) {
  double sum = 0;
  for (size_t i = begin; i < tau; ++i) {
    for (size_t j = tau; j < kappa; ++j) sum += std::abs(x[i] - x[j]);
  }
  return sum / static_cast<double>((tau - begin) * (kappa - tau));
}

EnergySplitter::Split SplitByDefinition(const std::vector<double>& x, size_t begin, size_t end) {
  EnergySplitter::Split best;
  for (size_t tau = begin + 1; tau < end; ++tau) {
    for (size_t kappa = tau + 1; kappa <= end; ++kappa) {
      const auto n = static_cast<double>(tau - begin);
      const auto m = static_cast<double>(kappa - tau);
      const double energy = n * m / (n + m) *
                            (2 * MeanBetween(x, begin, tau, kappa) - MeanWithin(x, begin, tau) -
                             MeanWithin(x, tau, kappa));
      if (energy > best.energy) best = {tau, energy};
    }
  }
  return best;
}

TEST(EnergySplitter, EqualsTheDefinitionOnEveryPartOfAWindow) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(-10, 10);
  std::vector<double> window(12);
  for (double& x : window) x = value(random);
  const EnergySplitter splitter(window);
  for (size_t begin = 0; begin < window.size(); ++begin) {
    for (size_t end = begin + 2; end <= window.size(); ++end) {
      const auto ours = splitter.BestSplit(begin, end);
      const auto wanted = SplitByDefinition(window, begin, end);
      EXPECT_EQ(ours.index, wanted.index) << begin << " " << end;
      EXPECT_NEAR(ours.energy, wanted.energy, 1e-9);
    }
  }
}

TEST(EnergySplitter, TakesTheFirstOfEqualSplits) {
  const std::vector<double> constant(9, 4.2);
  EXPECT_EQ(EnergySplitter(constant).BestSplit(0, 9).index, 1);
  EXPECT_EQ(EnergySplitter(constant).BestSplit(3, 9).index, 4);
  EXPECT_EQ(EnergySplitter(constant).BestSplit(0, 9).energy, 0);
}

TEST(EnergySplitter, SplitsTwoValuesBetweenThem) {
  const std::vector<double> two{1, 3};
  const auto split = EnergySplitter(two).BestSplit(0, 2);
  EXPECT_EQ(split.index, 1);
  EXPECT_EQ(split.energy, 2);
}

}  // namespace
}  // namespace throughput
