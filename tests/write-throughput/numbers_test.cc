#include "apps/write-throughput/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace throughput {
namespace {

using testing::ElementsAre;

TEST(NumbersTest, IntegersReachTheEndsOfTheirRange) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(*ParseInteger("n", "9223372036854775807", {0, kMost}), kMost);
  EXPECT_EQ(*ParseInteger("n", "0", {0, kMost}), 0);
  EXPECT_FALSE(ParseInteger("n", "9223372036854775808", {0, kMost}));
  EXPECT_FALSE(ParseInteger("n", "-0", {0, kMost}));
}

TEST(NumbersTest, AnErrorNamesFlagValueAndRange) {
  EXPECT_EQ(ParseInteger("size", "9", {1, 8, "of bytes"}).error().text,
            "--size '9': whole numbers of bytes from 1 to 8 are allowed");
  EXPECT_EQ(ParseIntegers("sizes", "1,9", {1, 8}).error().text,
            "--sizes '1,9': whole numbers from 1 to 8 are allowed, separated by commas");
  EXPECT_EQ(ParseSeconds("time", "9", {0.5, 8}).error().text,
            "--time '9': 0.5 to 8 seconds are allowed");
}

TEST(NumbersTest, SecondsAreReadToTheNanosecond) {
  EXPECT_EQ(ParseSeconds("d", "0.000000001", {0, 1})->count(), 1);
  EXPECT_EQ(ParseSeconds("d", "1.5", {0, 2})->count(), 1'500'000'000);
  EXPECT_EQ(ParseSeconds("d", "604800", {0, 604800})->count(), 604'800'000'000'000);
  for (const char* bad : {"", ".5", "-0", "1.5x", "1 ", "0x1", "infinity"}) {
    EXPECT_FALSE(ParseSeconds("d", bad, {0, 2})) << bad;
  }
}

TEST(NumbersTest, ListsKeepTheirEmptyItems) {
  EXPECT_THAT(SplitList("a,,b,"), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(SplitList(""), ElementsAre(""));
}

}  // namespace
}  // namespace throughput
