#include "apps/write-throughput/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/write-throughput/written_blocks.h"
#include "tests/write-throughput/fake_target.h"

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PhaseLog Begun(int64_t iterations) {
  PhaseLog log;
  log.begun = iterations;
  return log;
}

std::vector<std::pair<int64_t, int64_t>> Ranges(const IdLayout& layout, Phase phase,
                                                const std::vector<PhaseLog>& logs) {
  WrittenBlocks blocks(layout, phase, logs);
  std::vector<std::pair<int64_t, int64_t>> ranges;
  while (const auto block = blocks.Next()) ranges.emplace_back(block->first_id, block->last_id);
  return ranges;
}

TEST(WrittenBlocksTest, ComeInOrderOfIdsThreadByThread) {
  EXPECT_THAT(Ranges({2, 10, 5}, Phase::kMeasured, {Begun(2), Begun(1)}),
              ElementsAre(std::pair(0, 9), std::pair(10, 19), std::pair(50, 59)));
}

TEST(WrittenBlocksTest, ComeInOrderOfIdsIterationByIteration) {
  EXPECT_THAT(
      Ranges({2, 10, std::nullopt}, Phase::kMeasured, {Begun(1), Begun(3)}),
      ElementsAre(std::pair(0, 9), std::pair(10, 19), std::pair(30, 39), std::pair(50, 59)));
}

TEST(WrittenBlocksTest, OfTheWarmupTheLatestComeFirst) {
  EXPECT_THAT(Ranges({2, 10, 5}, Phase::kWarmup, {Begun(2), Begun(1)}),
              ElementsAre(std::pair(-30, -21), std::pair(-20, -11), std::pair(-10, -1)));
}

TEST(WrittenBlocksTest, RefusedOnesAreLeftOutAndDoubtfulOnesMarked) {
  PhaseLog log = Begun(4);
  log.refused = {2, 0};
  log.in_doubt = {3};
  WrittenBlocks blocks({1, 1, 10}, Phase::kMeasured, {log});
  const auto first = blocks.Next();
  const auto second = blocks.Next();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->first_id, 1);
  EXPECT_FALSE(first->in_doubt);
  EXPECT_EQ(second->first_id, 3);
  EXPECT_TRUE(second->in_doubt);
  EXPECT_FALSE(blocks.Next());
}

TEST(WrittenBlocksTest, ThereAreNoneWhereNothingWasBegun) {
  EXPECT_TRUE(Ranges({2, 10, 5}, Phase::kMeasured, {Begun(0), Begun(0)}).empty());
  EXPECT_TRUE(Ranges({2, 10, std::nullopt}, Phase::kWarmup, {Begun(0), Begun(0)}).empty());
}

// Two threads, three transactions of four rows each in the window and one each before it.
class VerifyTest : public testing::Test {
 protected:
  VerifyTest() {
    written_.layout = {2, 4, 3};
    written_.warmup = {Begun(1), Begun(1)};
    written_.measured = {Begun(3), Begun(3)};
    for (int64_t id = -8; id < 24; ++id) database_.rows[id] = values_.At(id);
  }

  Expected<Verification> Check() {
    return Verify(*MakeFakeTarget(database_), written_, values_, [this] { return stop_; });
  }

  std::string Failure() {
    const auto verification = Check();
    EXPECT_FALSE(verification) << "the lie was believed";
    return verification ? "" : verification.error().text;
  }

  void Erase(int64_t first, int64_t last) {
    for (int64_t id = first; id <= last; ++id) database_.rows.erase(id);
  }

  FakeDatabase database_;
  WrittenRows written_;
  Values values_ = Values::Plain();
  bool stop_ = false;
};

TEST_F(VerifyTest, CountsEveryRowOfAnHonestDatabase) {
  const auto verification = Check();
  ASSERT_TRUE(verification) << verification.error().text;
  EXPECT_TRUE(verification->complete);
  EXPECT_EQ(verification->rows, 32);
}

TEST_F(VerifyTest, NoticesEachDroppedRow) {
  for (int64_t id = -8; id < 24; ++id) {
    database_.misbehaviour.drop = {id};
    EXPECT_EQ(Failure(),
              "row " + std::to_string(id) + " of an acknowledged transaction is missing");
  }
}

TEST_F(VerifyTest, NoticesEachChangedRow) {
  for (int64_t id = -8; id < 24; ++id) {
    database_.misbehaviour.change = {id};
    const std::string value = "data_" + std::to_string(id);
    EXPECT_EQ(Failure(),
              "row " + std::to_string(id) + " has '" + value + "?' instead of '" + value + "'");
  }
}

TEST_F(VerifyTest, NoticesEachDuplicatedRow) {
  for (int64_t id = -8; id < 24; ++id) {
    database_.misbehaviour.duplicate = {id};
    EXPECT_EQ(Failure(), "row " + std::to_string(id) + " is there twice");
  }
}

TEST_F(VerifyTest, NoticesRowsThatNobodyWrote) {
  for (const int64_t id : {-9, 24, 1000}) {
    database_.misbehaviour.invent = {{id, values_.At(id)}};
    EXPECT_EQ(Failure(), "row " + std::to_string(id) + " belongs to no acknowledged transaction");
  }
}

TEST_F(VerifyTest, NoticesARowOfARefusedTransaction) {
  written_.measured[0].refused = {1};
  EXPECT_EQ(Failure(), "row 4 belongs to no acknowledged transaction");
  Erase(4, 7);
  EXPECT_TRUE(Check());
}

TEST_F(VerifyTest, NoticesThatNothingIsThere) {
  database_.rows.clear();
  EXPECT_EQ(Failure(), "row -8 of an acknowledged transaction is missing");
}

TEST_F(VerifyTest, TransactionsInDoubtMayBeWholeOrAbsent) {
  written_.measured[0].in_doubt = {2};  // rows 8 to 11
  written_.measured[1].in_doubt = {2};  // rows 20 to 23, the last ones
  written_.warmup[1].in_doubt = {0};    // rows -8 to -5, the first ones
  EXPECT_EQ(Check()->rows, 32);
  Erase(8, 11);
  Erase(20, 23);
  Erase(-8, -5);
  EXPECT_EQ(Check()->rows, 20);
}

TEST_F(VerifyTest, TransactionsInDoubtMustNotBeThereInPart) {
  written_.measured[0].in_doubt = {2};
  Erase(9, 9);
  EXPECT_EQ(Failure(), "row 9 of a partly present transaction is missing");
  Erase(8, 10);
  EXPECT_EQ(Failure(), "row 8 of a partly present transaction is missing")
      << "its first row absent, its last one there";
}

TEST_F(VerifyTest, TheLastTransactionInDoubtMustNotBeThereInPart) {
  written_.measured[1].in_doubt = {2};
  Erase(22, 23);
  EXPECT_THAT(Failure(), HasSubstr("row 22 of a partly present transaction"));
}

TEST_F(VerifyTest, StopsWhenAskedTo) {
  stop_ = true;
  const auto verification = Check();
  ASSERT_TRUE(verification);
  EXPECT_FALSE(verification->complete);
}

TEST_F(VerifyTest, LongAndUnprintableValuesAreShownShortened) {
  database_.rows[5] = std::string(100, 'x');
  database_.rows[5] += '\n';
  EXPECT_THAT(Failure(), HasSubstr("xxx...' (101 bytes) instead of 'data_5'"));
  database_.rows[5] = "a\nb";
  EXPECT_THAT(Failure(), HasSubstr("'a\\nb'"));
}

}  // namespace
}  // namespace throughput
