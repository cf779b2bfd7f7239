// The arrivals of an open loop, on a clock that is made up.
#include "apps/write-throughput/arrivals.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace throughput {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

const Arrivals::Clock::time_point kStart{seconds(1000)};

TEST(ArrivalsTest, ThreadsTakeTurns) {
  const Arrivals first(100, 2, 0, kStart);
  const Arrivals second(100, 2, 1, kStart);
  EXPECT_EQ(first.Due(0), kStart);
  EXPECT_EQ(second.Due(0), kStart + milliseconds(10));
  EXPECT_EQ(first.Due(1), kStart + milliseconds(20));
  EXPECT_EQ(second.Due(1), kStart + milliseconds(30));
}

TEST(ArrivalsTest, KeepTheirRateOverDays) {
  const Arrivals arrivals(3, 1, 0, kStart);
  EXPECT_EQ(arrivals.Due(3 * 86'400 * 7), kStart + seconds(86'400 * 7));
  EXPECT_EQ(arrivals.Due(1), kStart + nanoseconds(333'333'333));
}

TEST(ArrivalsTest, CountWhatIsDueAndNotBegun) {
  const Arrivals arrivals(100, 1, 0, kStart);
  EXPECT_EQ(arrivals.Waiting(1, kStart), 0);
  EXPECT_EQ(arrivals.Waiting(1, kStart + milliseconds(9)), 0);
  EXPECT_EQ(arrivals.Waiting(1, kStart + milliseconds(10)), 1);
  EXPECT_EQ(arrivals.Waiting(1, kStart + milliseconds(19)), 1);
  EXPECT_EQ(arrivals.Waiting(1, kStart + milliseconds(1000)), 100);
  EXPECT_EQ(arrivals.Waiting(101, kStart + milliseconds(1000)), 0);
}

TEST(ArrivalsTest, CountTheShareOfTheThread) {
  const Arrivals arrivals(100, 4, 3, kStart);
  EXPECT_EQ(arrivals.Waiting(0, kStart + seconds(1)), 25);
}

// What a closed loop hides: after one stall of a second, a hundred transactions are late, by less
// and less, and a queue that is served fast enough empties again.
TEST(ArrivalsTest, MakeEveryTransactionBehindAStallLate) {
  const Arrivals arrivals(100, 1, 0, kStart);
  auto now = kStart;
  int64_t late = 0;
  int64_t most = 0;
  int64_t last = 0;
  for (int64_t begun = 0; begun < 300; ++begun) {
    now = std::max(now, arrivals.Due(begun));
    last = arrivals.Waiting(begun + 1, now);
    most = std::max(most, last);
    now += begun == 50 ? milliseconds(1000) : milliseconds(1);
    if (now - arrivals.Due(begun) > milliseconds(5)) ++late;
  }
  EXPECT_GT(late, 100);
  EXPECT_LT(late, 120);
  EXPECT_EQ(most, 99);
  EXPECT_EQ(last, 0);
}

TEST(ArrivalsTest, QueueUpWithoutEndWhereTheServiceIsTooSlow) {
  const Arrivals arrivals(100, 1, 0, kStart);
  auto now = kStart;
  int64_t last = 0;
  for (int64_t begun = 0; begun < 300; ++begun) {
    now = std::max(now, arrivals.Due(begun));
    last = arrivals.Waiting(begun + 1, now);
    now += milliseconds(20);
  }
  EXPECT_EQ(last, 299);
}

}  // namespace
}  // namespace throughput
