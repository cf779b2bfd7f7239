// A history turned into series.
#include "apps/throughput-changes/series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/throughput-changes/made_history.h"

namespace throughput {
namespace {

using testing::ElementsAre;

TEST(Timeline, HasOneValueForEachCommit) {
  const Timeline timeline = TimelineOf(MadeRuns({5, 6, 7}));
  ASSERT_EQ(timeline.commits.size(), 3);
  EXPECT_EQ(timeline.commits[2].id, "c2");
  EXPECT_EQ(timeline.branch, "main");
  ASSERT_EQ(timeline.tests.size(), 1);
  EXPECT_THAT(timeline.tests[0].metrics[0].values, ElementsAre(5, 6, 7));
  EXPECT_THAT(timeline.tests[0].metrics[0].commits, ElementsAre(0, 1, 2));
}

TEST(Timeline, TakesTheMedianOfRepeats) {
  std::vector<RecordedRun> runs;
  for (const double value : {9, 1, 2}) runs.push_back(MadeRun(0, value));
  for (const double value : {4, 1, 3, 1000}) runs.push_back(MadeRun(1, value));
  const Timeline timeline = TimelineOf(runs);
  EXPECT_THAT(timeline.tests[0].metrics[0].values, ElementsAre(2, 3.5));
}

TEST(Timeline, LeavesOutCommitsThatLackAMetric) {
  auto runs = MadeRuns({1, 2, 3});
  for (const size_t i : {0, 2}) runs[i].metrics.push_back({"p50", "us", Better::kLower, 80});
  runs[1].metrics.push_back({"p99", "us", Better::kLower, 200});
  const Timeline timeline = TimelineOf(runs);
  const auto& metrics = timeline.tests[0].metrics;
  ASSERT_EQ(metrics.size(), 3);
  EXPECT_EQ(metrics[1].name, "p50");
  EXPECT_THAT(metrics[1].commits, ElementsAre(0, 2));
  EXPECT_THAT(metrics[2].commits, ElementsAre(1));
}

TEST(Timeline, KeepsTestsApartInTheOrderTheyCame) {
  const Timeline timeline =
      TimelineOf({MadeRun(0, 1, "b"), MadeRun(0, 2, "a"), MadeRun(1, 3, "a"), MadeRun(1, 4, "b")});
  ASSERT_EQ(timeline.tests.size(), 2);
  EXPECT_EQ(timeline.tests[0].name, "b");
  EXPECT_THAT(timeline.tests[0].metrics[0].values, ElementsAre(1, 4));
  EXPECT_THAT(timeline.tests[1].metrics[0].values, ElementsAre(2, 3));
}

}  // namespace
}  // namespace throughput
