// What counts as a stall.
#include "apps/throughput-report/time_pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/throughput-report/runs.h"

namespace throughput {
namespace {

using testing::SizeIs;

// Intervals of a tenth of a second with these rows.
metrics::ResultRecord RunOver(const std::vector<uint64_t>& rows,
                              const std::string& mode = "legacy") {
  metrics::ResultRecord run = RunAt(2, 0, 10'000, mode);
  for (const uint64_t count : rows) {
    run.intervals.push_back({0.1 * static_cast<double>(run.intervals.size() + 1), count, {}});
  }
  return run;
}

TEST(Stalls, AreIntervalsOfATenthOfTheMedianOrLess) {
  const auto courses =
      TimeCourses(Studied({RunOver({1000, 1000, 101, 99, 0, 1000, 1000, 0, 1000})}));
  ASSERT_THAT(courses, SizeIs(1));
  EXPECT_TRUE(courses[0].judged);
  EXPECT_NEAR(courses[0].median_rate, 10'000, 1e-6);
  EXPECT_FALSE(courses[0].points[2].stalled);
  EXPECT_TRUE(courses[0].points[3].stalled);
  EXPECT_TRUE(courses[0].points[4].stalled);
  EXPECT_EQ(courses[0].stalls, 2u);  // neighbours count once
  EXPECT_NEAR(courses[0].stalled_seconds, 0.3, 1e-9);
  EXPECT_NEAR(courses[0].longest_seconds, 0.2, 1e-9);
}

TEST(Stalls, AreNotJudgedWhereAnIntervalHoldsFewTransactions) {
  const auto courses = TimeCourses(Studied({RunOver({400, 0, 400, 400, 0})}));
  ASSERT_THAT(courses, SizeIs(1));
  EXPECT_FALSE(courses[0].judged);
  EXPECT_EQ(courses[0].stalls, 0u);
}

TEST(Stalls, AShortRestOfTheWindowCountsWithTheIntervalBeforeIt) {
  metrics::ResultRecord run = RunOver({1000, 1000, 1000});
  run.intervals.push_back({0.31, 5, {}});
  const auto courses = TimeCourses(Studied({run}));
  ASSERT_THAT(courses[0].points, SizeIs(3));
  EXPECT_NEAR(courses[0].points[2].y.median, 1005 / 0.11, 1e-6);
  EXPECT_EQ(courses[0].stalls, 0u);
}

TEST(Stalls, ASampleTakenBehindTheWindowIsNoIntervalOfItsOwn) {
  metrics::ResultRecord run = RunOver({1000, 1000, 1000});
  run.intervals.push_back({0.2999, 7, {}});
  const auto courses = TimeCourses(Studied({run}));
  ASSERT_THAT(courses[0].points, SizeIs(3));
  EXPECT_NEAR(courses[0].points[2].y.median, 10'070, 1e-6);
}

TEST(ThroughputOverTime, NeedsIntervals) {
  EXPECT_THAT(ThroughputOverTime(Studied({RunAt(1, 0, 10)})), SizeIs(0));
  EXPECT_THAT(ThroughputOverTime(Studied({RunOver({1000})})), SizeIs(0));
}

TEST(ThroughputOverTime, ShowsSeriesTogetherWhereOneScaleFits) {
  const auto together = ThroughputOverTime(
      Studied({RunOver({1000, 1000, 1000}), RunOver({5000, 5000, 5000}, "mvcc")}));
  ASSERT_THAT(together, SizeIs(1));
  EXPECT_THAT(together[0].lines, SizeIs(2));
  const auto apart = ThroughputOverTime(
      Studied({RunOver({1000, 1000, 1000}), RunOver({90'000, 90'000, 90'000}, "mvcc")}));
  ASSERT_THAT(apart, SizeIs(2));
  EXPECT_EQ(apart[1].title, "Burin mvcc, 2 threads, 100 rows per transaction, no compute");
  EXPECT_EQ(apart[1].lines[0].style, 1u);
}

}  // namespace
}  // namespace throughput
