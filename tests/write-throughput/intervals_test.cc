// How a window is cut up, and what becomes of a sample that was taken while it closed.
#include "apps/write-throughput/intervals.h"

#include <gtest/gtest.h>

#include "tests/write-throughput/fake_target.h"

namespace throughput {
namespace {

class IntervalsTest : public testing::Test {
 protected:
  std::vector<metrics::Interval> Cut(const std::vector<std::pair<double, int64_t>>& samples,
                                     std::pair<double, int64_t> end) {
    const auto target = MakeFakeTarget(database_);
    Window window(*target, {}, ".");
    Intervals intervals(window, metrics::CounterMode::kNone);
    for (const auto& [seconds, rows] : samples) {
      database_.background.stalls += seconds > 0.15 && seconds < 0.25 ? 1 : 0;
      intervals.End(seconds, rows);
    }
    intervals.EndLast(end.first, end.second);
    return intervals.Take();
  }

  FakeDatabase database_;
};

TEST_F(IntervalsTest, FollowOneAnotherToTheEndOfTheWindow) {
  const auto intervals = Cut({{0.1, 10}, {0.2, 30}}, {0.25, 35});
  ASSERT_EQ(intervals.size(), 3u);
  EXPECT_EQ(intervals[1].rows, 20u);
  EXPECT_EQ(intervals[2].end_seconds, 0.25);
  EXPECT_EQ(intervals[2].rows, 5u);
}

TEST_F(IntervalsTest, ASampleBehindTheEndOfTheWindowIsPartOfTheLastOne) {
  for (const double closed : {0.1995, 0.2}) {
    const auto intervals = Cut({{0.1, 10}, {0.2, 30}}, {closed, 35});
    ASSERT_EQ(intervals.size(), 2u);
    EXPECT_EQ(intervals[1].end_seconds, closed);
    EXPECT_EQ(intervals[1].rows, 25u);
    EXPECT_TRUE(intervals[1].stall);  // of the sample
  }
}

TEST_F(IntervalsTest, SeveralSamplesBehindTheEndBecomeOneWithIt) {
  const auto intervals = Cut({{0.1, 10}, {0.2, 30}, {0.3, 35}}, {0.15, 35});
  ASSERT_EQ(intervals.size(), 2u);
  EXPECT_EQ(intervals[1].end_seconds, 0.15);
  EXPECT_EQ(intervals[1].rows, 25u);
}

TEST_F(IntervalsTest, AWindowShorterThanItsFirstSampleIsOneInterval) {
  const auto intervals = Cut({{0.1, 10}}, {0.0999, 10});
  ASSERT_EQ(intervals.size(), 1u);
  EXPECT_EQ(intervals[0].rows, 10u);
}

}  // namespace
}  // namespace throughput
