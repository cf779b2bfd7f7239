#include "apps/write-throughput/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "tests/write-throughput/temporary_folder.h"

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

std::vector<std::string> Walk(const Values& values, Phase phase, int64_t first_row, int rows) {
  RowCursor cursor(values);
  cursor.Start(phase, first_row);
  std::vector<std::string> seen;
  for (int i = 0; i < rows; ++i, cursor.Advance()) seen.emplace_back(cursor.value());
  return seen;
}

TEST(IdLayoutTest, ThreadsHaveNeighbouringBlocksWhenIterationsAreKnown) {
  const IdLayout layout{3, 100, 10};
  EXPECT_EQ(layout.Block(Phase::kMeasured, 0, 0), 0);
  EXPECT_EQ(layout.Block(Phase::kMeasured, 0, 9), 9);
  EXPECT_EQ(layout.Block(Phase::kMeasured, 2, 3), 23);
}

TEST(IdLayoutTest, IterationsHaveNeighbouringBlocksByTimeAndInTheWarmup) {
  const IdLayout timed{3, 100, std::nullopt};
  EXPECT_EQ(timed.Block(Phase::kMeasured, 2, 5), 17);
  const IdLayout counted{3, 100, 10};
  EXPECT_EQ(counted.Block(Phase::kWarmup, 2, 5), 17);
}

TEST(IdLayoutTest, NoTwoTransactionsShareABlock) {
  for (const IdLayout& layout : {IdLayout{4, 10, 25}, IdLayout{4, 10, std::nullopt}}) {
    std::set<int64_t> blocks;
    for (int thread = 0; thread < 4; ++thread) {
      for (int64_t iteration = 0; iteration < 25; ++iteration) {
        blocks.insert(layout.Block(Phase::kMeasured, thread, iteration));
      }
    }
    EXPECT_EQ(blocks.size(), 100u);
    EXPECT_EQ(*blocks.rbegin(), 99);
  }
}

TEST(RowCursorTest, CountsThePlainValuesOfABlock) {
  EXPECT_THAT(Walk(Values::Plain(), Phase::kMeasured, 8, 4),
              ElementsAre("data_8", "data_9", "data_10", "data_11"));
  EXPECT_THAT(Walk(Values::Plain(), Phase::kMeasured, 998, 3),
              ElementsAre("data_998", "data_999", "data_1000"));
}

TEST(RowCursorTest, WarmupIdsRunDownwardsFromMinusOne) {
  EXPECT_THAT(Walk(Values::Plain(), Phase::kWarmup, 0, 2), ElementsAre("data_-1", "data_-2"));
  EXPECT_THAT(Walk(Values::Plain(), Phase::kWarmup, 8, 3),
              ElementsAre("data_-9", "data_-10", "data_-11"));
}

TEST(RowCursorTest, ReachesBothEndsOfTheIds) {
  const Values values = Values::Plain();
  RowCursor cursor(values);
  cursor.Start(Phase::kMeasured, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(cursor.value(), "data_9223372036854775807");
  cursor.Start(Phase::kWarmup, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(cursor.id(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(cursor.value(), "data_-9223372036854775808");
}

TEST(RowCursorTest, AgreesWithTheValueOfEachIdWhereverItStarts) {
  TemporaryFolder folder;
  const auto file = DataFile::Read(folder.Write("lines", "a\nbb\n\nccc\n"));
  ASSERT_TRUE(file);
  for (const Values& values : {Values::Plain(), Values::Padded(20), Values::FromFile(*file)}) {
    for (const Phase phase : {Phase::kWarmup, Phase::kMeasured}) {
      RowCursor cursor(values);
      // To and fro, also to where the cursor already stands.
      for (const int64_t first : {0, 9, 95, 299, 200, 5, 205, 195, 1'000'000'000}) {
        cursor.Start(phase, first);
        for (int64_t row = first; row < first + 200; ++row, cursor.Advance()) {
          ASSERT_EQ(cursor.id(), phase == Phase::kWarmup ? -1 - row : row);
          ASSERT_EQ(cursor.value(), values.At(cursor.id())) << cursor.id();
        }
      }
    }
  }
}

TEST(RowCursorTest, StartsAnewWhenThePhaseChanges) {
  const Values values = Values::Plain();
  RowCursor cursor(values);
  cursor.Start(Phase::kWarmup, 0);
  EXPECT_EQ(cursor.id(), -1);
  cursor.Start(Phase::kMeasured, 0);
  EXPECT_EQ(cursor.id(), 0);
  EXPECT_EQ(cursor.value(), "data_0");
  cursor.Advance();
  EXPECT_EQ(cursor.value(), "data_1");
}

TEST(ValuesTest, PaddingHasTheSizeAskedForAndIsRepeatable) {
  const Values values = Values::Padded(40);
  const std::string value = values.At(7);
  EXPECT_THAT(value, StartsWith("data_7"));
  EXPECT_EQ(value.size(), 40u);
  EXPECT_EQ(value, Values::Padded(40).At(7));
  EXPECT_NE(value.substr(8), values.At(8).substr(8));
  EXPECT_EQ(
      value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"),
      std::string::npos);
}

TEST(ValuesTest, AValueLongerThanThePaddingStaysWhole) {
  EXPECT_EQ(Values::Padded(3).At(12345), "data_12345");
  EXPECT_THAT(Walk(Values::Padded(7), Phase::kMeasured, 99, 2), ElementsAre("data_99", "data_100"));
}

TEST(ValuesTest, LinesGoRoundForNegativeIdsToo) {
  TemporaryFolder folder;
  const auto file = DataFile::Read(folder.Write("lines", "a\nb\nc\n"));
  ASSERT_TRUE(file);
  const Values values = Values::FromFile(*file);
  EXPECT_EQ(values.At(0), "a");
  EXPECT_EQ(values.At(5), "c");
  EXPECT_EQ(values.At(-1), "c");
  EXPECT_EQ(values.At(-3), "a");
  EXPECT_THAT(Walk(values, Phase::kWarmup, 0, 4), ElementsAre("c", "b", "a", "c"));
}

}  // namespace
}  // namespace throughput
