// What is called a difference, and how often where there is none.
#include "apps/throughput-compare/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/throughput-compare/simulated_machine.h"

namespace throughput {
namespace {

constexpr int kRepetitions = 50;

std::vector<Judged> JudgedOf(const Interleaved& runs) {
  return JudgeAll(runs.samples.samples, true);
}

const Judged& Find(const std::vector<Judged>& all, const std::string& metric) {
  return *std::find_if(all.begin(), all.end(),
                       [&](const Judged& judged) { return judged.sample.metric == metric; });
}

std::vector<Judged> Simulated(unsigned seed, double speed_after, double instructions_after) {
  SimulatedMachine machine(seed);
  const auto runs = RunInTurn(machine.BenchOf(1, 194, speed_after, instructions_after), {});
  EXPECT_TRUE(runs);
  return JudgedOf(*runs);
}

Sample SampleOf(std::vector<double> before, std::vector<double> after,
                Better better = Better::kLower) {
  return {"a test", "a test", "a metric", "a unit", better, std::move(before), std::move(after)};
}

Verdict VerdictOn(std::vector<double> before, std::vector<double> after,
                  Better better = Better::kLower) {
  return JudgeAll({SampleOf(std::move(before), std::move(after), better)}, true).front().verdict;
}

TEST(Comparison, OfAWithASeesNoDifferenceInAnyMetric47TimesOf50) {
  int silent = 0;
  for (unsigned seed = 1; seed <= kRepetitions; ++seed) {
    const auto all = Simulated(seed, 1, 194);
    silent += std::all_of(all.begin(), all.end(), [](const Judged& judged) {
      return judged.verdict == Verdict::kNoDifference;
    });
  }
  EXPECT_GE(silent, 47);
}

TEST(Comparison, SeesFewerInstructionsEveryTimeThoughRowsShowNothing) {
  int rows_silent = 0;
  for (unsigned seed = 1; seed <= kRepetitions; ++seed) {
    const auto all = Simulated(seed, 1.002, 120);
    EXPECT_EQ(Find(all, "instructions/row").verdict, Verdict::kBetter);
    EXPECT_NEAR(*Find(all, "instructions/row").estimate.change_percent, -38.14, 0.01);
    rows_silent += Find(all, "rows/s").verdict == Verdict::kNoDifference;
  }
  EXPECT_GE(rows_silent, 45);
}

TEST(Comparison, SeesALargeDifferenceInSpiteOfADriftingDisk) {
  int seen = 0;
  for (unsigned seed = 1; seed <= kRepetitions; ++seed) {
    seen += Find(Simulated(seed, 1.3, 194), "rows/s").verdict == Verdict::kBetter;
  }
  EXPECT_GE(seen, 47);
}

TEST(Comparison, KnowsWhichWayIsBetter) {
  const std::vector<double> low{1, 1.01, 1, 1.01, 1};
  const std::vector<double> high{2, 2.01, 2.02, 2, 2};
  EXPECT_EQ(VerdictOn(low, high, Better::kHigher), Verdict::kBetter);
  EXPECT_EQ(VerdictOn(low, high, Better::kLower), Verdict::kWorse);
  EXPECT_EQ(VerdictOn(high, low, Better::kHigher), Verdict::kWorse);
  EXPECT_EQ(VerdictOn(high, low, Better::kLower), Verdict::kBetter);
}

TEST(Comparison, OfThreeRunsIsNotEnoughHoweverClear) {
  EXPECT_EQ(VerdictOn({1, 1, 1}, {2, 2, 2}), Verdict::kNotEnoughRuns);
  EXPECT_EQ(VerdictOn({1, 1, 1, 1}, {2, 2, 2, 2}), Verdict::kWorse);
}

TEST(Comparison, DoesNotCallItNoDifferenceWhereADoublingCouldHide) {
  EXPECT_EQ(VerdictOn({1, 4, 2, 8}, {4, 1, 8, 2}), Verdict::kNotEnoughRuns);
  EXPECT_EQ(VerdictOn({1, 1.1, 1, 1.1}, {1.1, 1, 1.1, 1}), Verdict::kNoDifference);
}

TEST(Comparison, IsNotPreciseWhereNothingBoundsIt) {
  const auto judged = JudgeAll({SampleOf({1, 1e9}, {1e9, 1})}, true).front();
  EXPECT_EQ(judged.verdict, Verdict::kNotEnoughRuns);
  EXPECT_GT(*HalfWidth(judged.estimate), 1e300);
}

TEST(Comparison, OfZerosAloneSeesNoDifference) {
  EXPECT_EQ(VerdictOn({0, 0, 0, 0}, {0, 0, 0, 0}), Verdict::kNoDifference);
}

TEST(Comparison, AsksMoreOfEachMetricTheMoreThereAre) {
  const Sample sample = SampleOf({1, 1, 1, 1}, {1.03, 1.04, 1.05, 1.04});
  EXPECT_EQ(JudgeAll({sample}, true).front().verdict, Verdict::kWorse);
  const auto many = JudgeAll(std::vector<Sample>(10, sample), true);
  EXPECT_EQ(many.front().verdict, Verdict::kNoDifference);
}

TEST(Comparison, HasVerdictsThatAgreeWithTheirIntervals) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    for (const Judged& judged : Simulated(seed, 1.05, 190)) {
      const bool holds_zero =
          *judged.estimate.low_percent <= 0 && *judged.estimate.high_percent >= 0;
      const bool silent =
          judged.verdict == Verdict::kNoDifference || judged.verdict == Verdict::kNotEnoughRuns;
      EXPECT_EQ(holds_zero, silent) << judged.sample.metric;
    }
  }
}

}  // namespace
}  // namespace throughput
