// Which tests and metrics belong together.
#include "apps/throughput-compare/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/throughput-compare/simulated_machine.h"

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Metric Rate(double value) { return {"rows/s", "rows/s", Better::kHigher, value}; }

void Add(SideRuns& side, ReadRun run) {
  std::vector<ReadRun> runs;
  runs.push_back(std::move(run));
  side.AddRun(std::move(runs));
}

SideRuns SideOf(const std::vector<double>& values, const std::string& hasher = "fx") {
  SideRuns side;
  for (const double value : values) Add(side, MadeRun({Rate(value)}, hasher));
  return side;
}

ReadRun WithThreads(int threads, double rate, const std::string& hasher) {
  ReadRun run = MadeRun({Rate(rate)}, hasher);
  run.record.threads = threads;
  return run;
}

TEST(CollectSamples, MatchesTestsThatDifferInWhatIsCompared) {
  const auto collected = CollectSamples(SideOf({1, 2}, "sip13"), SideOf({3, 4}));
  ASSERT_TRUE(collected);
  ASSERT_EQ(collected->samples.size(), 1);
  EXPECT_THAT(collected->samples[0].before, ElementsAre(1, 2));
  EXPECT_THAT(collected->samples[0].after, ElementsAre(3, 4));
  EXPECT_THAT(collected->samples[0].test_before, HasSubstr("sip13"));
  EXPECT_THAT(collected->notes, ElementsAre("The sides differ in hasher: sip13 -> fx."));
}

TEST(CollectSamples, SaysNothingOfSidesThatAreAlike) {
  const auto collected = CollectSamples(SideOf({1, 2}), SideOf({3, 4}));
  ASSERT_TRUE(collected);
  EXPECT_THAT(collected->notes, ElementsAre());
}

TEST(CollectSamples, SaysInOneNoteEverythingThatTellsTheSidesApart) {
  SideRuns before;
  SideRuns after;
  for (const int threads : {1, 2}) {
    Add(before, WithThreads(threads, 1, "fx"));
    ReadRun run = WithThreads(threads, 1, "sip13");
    run.record.system = "SQLite";
    run.record.value_size_bytes = 200;
    run.record.open_loop = metrics::OpenLoop{50, {}, 0, 0, false};
    run.record.environment.arguments = {"write-throughput", "-i", "2000"};
    run.record.environment.commit = "abc";
    Add(after, std::move(run));
  }
  const auto collected = CollectSamples(before, after);
  ASSERT_TRUE(collected);
  EXPECT_THAT(collected->notes,
              ElementsAre("The sides differ in system: Burin -> SQLite; hasher: fx -> sip13; "
                          "value-size: not set -> 200; rate: not set -> 50; iterations: not set -> "
                          "2000; commit: not set -> abc."));
}

TEST(CollectSamples, RefusesCountsOfAProcessBesideThoseOfAWindow) {
  SideRuns after;
  ReadRun run = MadeRun({Rate(1)}, "fx");
  run.record.scope = "process";
  Add(after, std::move(run));
  const auto collected = CollectSamples(SideOf({1}), after);
  ASSERT_FALSE(collected);
  EXPECT_THAT(collected.error().message, HasSubstr("before --scope run, after --scope process"));
  EXPECT_TRUE(CollectSamples(after, after));
}

TEST(CollectSamples, MatchesTheCellsOfASweepWhateverTheirOrder) {
  SideRuns before;
  SideRuns after;
  for (const int threads : {1, 2}) Add(before, WithThreads(threads, threads, "fx"));
  for (const int threads : {2, 1}) Add(after, WithThreads(threads, threads, "fx"));
  const auto collected = CollectSamples(before, after);
  ASSERT_TRUE(collected);
  ASSERT_EQ(collected->samples.size(), 2);
  for (const Sample& sample : collected->samples) EXPECT_EQ(sample.before, sample.after);
}

TEST(CollectSamples, RefusesTestsOfDifferentLoads) {
  SideRuns before;
  SideRuns after;
  Add(before, WithThreads(1, 1, "fx"));
  Add(after, WithThreads(2, 1, "fx"));
  const auto collected = CollectSamples(before, after);
  ASSERT_FALSE(collected);
  EXPECT_EQ(collected.error().exit_code, kExitRefused);
  EXPECT_THAT(collected.error().message, HasSubstr("do not match: before Burin threads=1"));
}

TEST(CollectSamples, RefusesASweepAgainstOneCell) {
  SideRuns before;
  for (const int threads : {1, 2}) Add(before, WithThreads(threads, threads, "fx"));
  EXPECT_FALSE(CollectSamples(before, SideOf({1})));
}

TEST(CollectSamples, RefusesAMetricInMixedUnits) {
  SideRuns user_only;
  Add(user_only, MadeRun({{"instructions/row", "instructions:u/row", Better::kLower, 100}}));
  SideRuns all;
  Add(all, MadeRun({{"instructions/row", "instructions/row", Better::kLower, 100}}));
  const auto collected = CollectSamples(user_only, all);
  ASSERT_FALSE(collected);
  EXPECT_EQ(collected.error().exit_code, kExitRefused);
  EXPECT_THAT(collected.error().message,
              HasSubstr("instructions/row is in 'instructions:u/row' here and in "
                        "'instructions/row' there"));
}

TEST(CollectSamples, LeavesOutWhatNotEveryRunHasAndSaysSo) {
  SideRuns before = SideOf({1, 2});
  SideRuns after = SideOf({3});
  Add(after, MadeRun({Rate(4), {"p99", "us", Better::kLower, 5}}));
  const auto collected = CollectSamples(before, after);
  ASSERT_TRUE(collected);
  EXPECT_EQ(collected->samples.size(), 1);
  EXPECT_THAT(collected->notes, ElementsAre(HasSubstr("not every run has p99")));
}

TEST(CollectSamples, SaysThatTheMachinesDiffer) {
  SideRuns after;
  ReadRun run = MadeRun({Rate(1)});
  run.record.environment.cores = 64;
  Add(after, std::move(run));
  const auto collected = CollectSamples(SideOf({1}), after);
  ASSERT_TRUE(collected);
  EXPECT_THAT(collected->notes, ElementsAre(HasSubstr("different machines")));
}

TEST(SideRuns, TakesRepeatsWithinARunAsOneByTheirMedian) {
  SideRuns side;
  std::vector<ReadRun> repeats;
  for (const double rate : {1, 9, 2}) repeats.push_back(MadeRun({Rate(rate)}));
  side.AddRun(std::move(repeats));
  ASSERT_EQ(side.tests.size(), 1);
  ASSERT_EQ(side.tests[0].runs.size(), 1);
  EXPECT_EQ(side.tests[0].runs[0].front().value, 2);
  EXPECT_EQ(side.tests[0].records.size(), 3);
}

}  // namespace
}  // namespace throughput
