// When --fail-on fails.
#include "apps/throughput-compare/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace throughput {
namespace {

using testing::HasSubstr;

Judged JudgedOf(Verdict verdict, double change, double smallest = 0.1) {
  Judged judged;
  judged.sample.metric = "p99";
  judged.verdict = verdict;
  judged.estimate.change_percent = change;
  judged.estimate.smallest_percent = smallest;
  return judged;
}

const std::vector<Goal> kRule{{"p99", 1}};

TEST(FailOn, FailsAtTheGivenSizeAndAbove) {
  const auto outcome = ApplyFailOn(kRule, {JudgedOf(Verdict::kWorse, 1)});
  EXPECT_EQ(outcome.exit_code, kExitWorse);
  EXPECT_EQ(outcome.message, "p99 is worse by 1.00 %, and --fail-on allows less than 1 %");
  EXPECT_EQ(ApplyFailOn(kRule, {JudgedOf(Verdict::kWorse, 0.9)}).exit_code, 0);
}

TEST(FailOn, TakesAFallOfWhatShouldRiseAsWorse) {
  EXPECT_EQ(ApplyFailOn(kRule, {JudgedOf(Verdict::kWorse, -5)}).exit_code, kExitWorse);
}

TEST(FailOn, IsContentWithBetterAndWithNoDifference) {
  EXPECT_EQ(ApplyFailOn(kRule, {JudgedOf(Verdict::kBetter, -50)}).exit_code, 0);
  EXPECT_EQ(ApplyFailOn(kRule, {JudgedOf(Verdict::kNoDifference, 0.05)}).exit_code, 0);
}

TEST(FailOn, DoesNotTakeSilenceForAnAnswer) {
  for (const auto& judged :
       {JudgedOf(Verdict::kNotEnoughRuns, 0), JudgedOf(Verdict::kNoDifference, 0.5, 3)}) {
    const auto outcome = ApplyFailOn(kRule, {judged});
    EXPECT_EQ(outcome.exit_code, kExitFailed);
    EXPECT_EQ(outcome.message, "--fail-on p99:1%: not enough runs to tell");
  }
}

TEST(FailOn, PutsWorseBeforeNotKnowing) {
  EXPECT_EQ(ApplyFailOn(kRule, {JudgedOf(Verdict::kNotEnoughRuns, 0), JudgedOf(Verdict::kWorse, 5)})
                .exit_code,
            kExitWorse);
}

TEST(FailOn, FailsOnAStepFromZero) {
  Judged judged = JudgedOf(Verdict::kWorse, 0);
  judged.estimate.change_percent.reset();
  EXPECT_THAT(ApplyFailOn(kRule, {judged}).message, HasSubstr("a step from 0"));
}

TEST(FailOn, LooksAtItsOwnMetricAlone) {
  EXPECT_EQ(ApplyFailOn({{"p50", 1}}, {JudgedOf(Verdict::kWorse, 50)}).exit_code, 0);
}

}  // namespace
}  // namespace throughput
