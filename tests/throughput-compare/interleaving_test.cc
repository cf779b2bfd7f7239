// The order of the runs, and what ends them. The clock is made up.
#include "apps/throughput-compare/interleaving.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/throughput-compare/simulated_machine.h"

namespace throughput {
namespace {

using testing::HasSubstr;

// Runs with a figure that grows by `step` per cent each time, and a note of who ran.
struct Journal {
  std::string order;
  double rate = 100;
  double step = 0;
  int fail_at = 0;  // the number of the run that fails; 0: none
  Failure failure;
  std::chrono::duration<double> time{0};

  Result<std::vector<ReadRun>> Run(char side) {
    order += side;
    if (fail_at == static_cast<int>(order.size())) return tl::unexpected(failure);
    time += std::chrono::duration<double>(1);
    rate *= 1 + step / 100;
    return std::vector<ReadRun>{MadeRun({{"rows/s", "rows/s", Better::kHigher, rate}})};
  }

  Bench AsBench() {
    return {[this] { return Run('A'); }, [this] { return Run('B'); }, [this] { return time; },
            [](const std::string&) {}};
  }
};

Limits LimitsOf(double percent, double budget, int runs) {
  Limits limits;
  limits.precision = {{"rows/s", percent}};
  limits.budget = std::chrono::duration<double>(budget);
  limits.runs = runs;
  return limits;
}

TEST(RunInTurn, AlternatesWhichSideIsFirst) {
  Journal journal;
  ASSERT_TRUE(RunInTurn(journal.AsBench(), LimitsOf(1, 1000, 6)));
  EXPECT_EQ(journal.order, "ABBAABBAABBA");
}

TEST(RunInTurn, EndsWhenTheIntervalIsTightEnough) {
  Journal journal;
  const auto runs = RunInTurn(journal.AsBench(), LimitsOf(1, 1000, 200));
  ASSERT_TRUE(runs);
  EXPECT_EQ(runs->end, End::kPrecise);
  EXPECT_EQ(runs->runs, 6);  // three blocks: before that no interval is trusted
}

TEST(RunInTurn, EndsWhenNoFurtherBlockFitsTheBudget) {
  Journal journal;
  journal.step = 5;
  const auto runs = RunInTurn(journal.AsBench(), LimitsOf(0.001, 21, 200));
  ASSERT_TRUE(runs);
  EXPECT_EQ(runs->end, End::kBudget);
  EXPECT_EQ(journal.order.size(), 20);  // of four seconds each
}

TEST(RunInTurn, MakesOneBlockHoweverSmallTheBudget) {
  Journal journal;
  const auto runs = RunInTurn(journal.AsBench(), LimitsOf(1, 0.001, 200));
  ASSERT_TRUE(runs);
  EXPECT_EQ(runs->end, End::kBudget);
  EXPECT_EQ(journal.order, "ABBA");
}

TEST(RunInTurn, MakesNoMoreRunsThanAllowed) {
  Journal journal;
  journal.step = 5;
  const auto runs = RunInTurn(journal.AsBench(), LimitsOf(0.001, 1000, 7));
  ASSERT_TRUE(runs);
  EXPECT_EQ(runs->end, End::kRuns);
  EXPECT_EQ(runs->runs, 6);
}

TEST(RunInTurn, CancelsASteadyDrift) {
  Journal journal;
  journal.step = 5;
  const auto runs = RunInTurn(journal.AsBench(), LimitsOf(0.001, 1000, 20));
  ASSERT_TRUE(runs);
  const Sample& sample = runs->samples.samples.front();
  double product = 1;
  for (size_t i = 0; i < sample.before.size(); ++i) product *= sample.after[i] / sample.before[i];
  EXPECT_NEAR(product, 1, 1e-9);
}

TEST(RunInTurn, KeepsWholeBlocksWhenInterrupted) {
  Journal journal;
  journal.fail_at = 7;
  journal.failure = {kExitInterrupted, "interrupted"};
  const auto runs = RunInTurn(journal.AsBench(), LimitsOf(0.001, 1000, 200));
  ASSERT_TRUE(runs);
  EXPECT_EQ(runs->end, End::kInterrupted);
  EXPECT_EQ(runs->samples.samples.front().before.size(), 2);
  EXPECT_EQ(runs->before.tests.front().records.size(), 2);
}

TEST(RunInTurn, HasNothingWhenInterruptedInTheFirstBlock) {
  Journal journal;
  journal.fail_at = 3;
  journal.failure = {kExitInterrupted, "interrupted"};
  const auto runs = RunInTurn(journal.AsBench(), Limits());
  ASSERT_FALSE(runs);
  EXPECT_EQ(runs.error().exit_code, kExitInterrupted);
}

TEST(RunInTurn, FailsWithARunThatFails) {
  Journal journal;
  journal.fail_at = 9;
  journal.failure = {kExitFailed, "no disk"};
  const auto runs = RunInTurn(journal.AsBench(), LimitsOf(0.001, 1000, 200));
  ASSERT_FALSE(runs);
  EXPECT_EQ(runs.error().exit_code, kExitFailed);
  EXPECT_EQ(runs.error().message, "no disk; what 4 runs a side had shown is lost");
}

TEST(RunInTurn, TakesARefusalBehindTheTrialForAFailure) {
  Journal journal;
  journal.fail_at = 2;
  journal.failure = {kExitRefused, "AFTER wrote no record"};
  const auto runs = RunInTurn(journal.AsBench(), Limits());
  ASSERT_FALSE(runs);
  EXPECT_EQ(runs.error().exit_code, kExitFailed);
  EXPECT_EQ(runs.error().message, "AFTER wrote no record");
}

TEST(TryOnce, RunsEachSideOnceAndPassesOnWhatTheySay) {
  Journal journal;
  EXPECT_TRUE(TryOnce(journal.AsBench(), Limits()));
  EXPECT_EQ(journal.order, "AB");
  journal.fail_at = 4;
  journal.failure = {kExitRefused, "AFTER wrote no record"};
  const auto tried = TryOnce(journal.AsBench(), Limits());
  ASSERT_FALSE(tried);
  EXPECT_EQ(tried.error().exit_code, kExitRefused);
  EXPECT_EQ(tried.error().message, "AFTER wrote no record");
}

TEST(TryOnce, RefusesAMetricThatIsNotThere) {
  Journal journal;
  Limits limits;
  limits.precision = {{"miles", 1}};
  auto runs = TryOnce(journal.AsBench(), limits);
  ASSERT_FALSE(runs);
  EXPECT_EQ(runs.error().exit_code, kExitRefused);
  EXPECT_EQ(runs.error().message, "--precision names 'miles': the runs have rows/s");
  limits = Limits();
  limits.needed = {"miles"};
  runs = TryOnce(journal.AsBench(), limits);
  ASSERT_FALSE(runs);
  EXPECT_THAT(runs.error().message, HasSubstr("--fail-on names 'miles'"));
  EXPECT_EQ(journal.order, "ABAB");
}

}  // namespace
}  // namespace throughput
