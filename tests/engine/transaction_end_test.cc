// How a single transaction ends, in all three kinds: what its caller is told, and what it leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/engine/transaction_fixture.h"

namespace burin {
namespace {

using testing::HasSubstr;

class TransactionEndTest : public TransactionTest {};

TEST_P(TransactionEndTest, AnInsertOfALiveKeyIsADuplicateAndEndsIt) {
  Given({{1, "one"}});
  Transaction transaction = Begin();
  ASSERT_EQ(Text(transaction.Insert(table_, 2, "two")), "ok");
  const Status status = transaction.Insert(table_, 1, "again");
  EXPECT_EQ(status.code(), StatusCode::kDuplicate);
  EXPECT_THAT(Text(status), HasSubstr("key 1 "));
  ExpectOver(transaction);
  EXPECT_EQ(Committed(), (Rows{{1, "one"}}));
}

TEST_P(TransactionEndTest, ADuplicateAmongItsOwnRowsIsOneToo) {
  Transaction transaction = Begin();
  ASSERT_EQ(Text(transaction.Insert(table_, 1, "one")), "ok");
  EXPECT_EQ(transaction.Insert(table_, 1, "again").code(), StatusCode::kDuplicate);
  ExpectOver(transaction);
  EXPECT_EQ(Committed(), Rows());
}

TEST_P(TransactionEndTest, ADuplicateInABatchIsAnsweredByTheCommit) {
  Given({{5, "five"}});
  Transaction transaction = Begin();
  for (const int64_t key : {3, 4, 5, 6}) transaction.batch().Insert(table_, key, "batch");
  EXPECT_EQ(transaction.Commit().code(), StatusCode::kDuplicate);
  ExpectOver(transaction);
  EXPECT_EQ(Committed(), (Rows{{5, "five"}}));
  Given({{3, "free"}, {4, "free"}, {6, "free"}});  // nothing of it is in the way
}

TEST_P(TransactionEndTest, AnUpdateOfAnAbsentKeyInABatchFailsTheCommit) {
  Transaction transaction = Begin();
  transaction.batch().Insert(table_, 1, "one");
  transaction.batch().Update(table_, 2, "two");
  EXPECT_EQ(transaction.Commit().code(), StatusCode::kNotFound);
  ExpectOver(transaction);
  EXPECT_EQ(Committed(), Rows());
}

TEST_P(TransactionEndTest, ACommittedTransactionIsOver) {
  Transaction transaction = Begin();
  ASSERT_EQ(Text(transaction.Insert(table_, 1, "one")), "ok");
  ASSERT_EQ(Text(transaction.Commit()), "ok");
  ExpectOver(transaction);
  EXPECT_EQ(Committed(), (Rows{{1, "one"}}));
}

TEST_P(TransactionEndTest, ARolledBackTransactionIsOverAndLeavesNothing) {
  Given({{1, "one"}});
  Transaction transaction = Begin();
  ASSERT_EQ(Text(transaction.Update(table_, 1, "x")), "ok");
  transaction.batch().Insert(table_, 2, "x");
  transaction.Rollback();
  ExpectOver(transaction);
  EXPECT_EQ(Committed(), (Rows{{1, "one"}}));
  Given({{2, "two"}});
}

TEST_P(TransactionEndTest, ATransactionDroppedOpenIsRolledBack) {
  {
    Transaction transaction = Begin();
    ASSERT_EQ(Text(transaction.Insert(table_, 1, "x")), "ok");
  }
  {
    Transaction transaction = Begin();
    ASSERT_EQ(Text(transaction.Insert(table_, 1, "y")), "ok");
    transaction = Transaction();
  }
  EXPECT_EQ(Committed(), Rows());
  Given({{1, "one"}});  // the writer lock is free, and so is the key
}

TEST_P(TransactionEndTest, ATransactionDroppedAfterCommitAsyncIsDurable) {
  {
    Transaction transaction = Begin();
    ASSERT_EQ(Text(transaction.Insert(table_, 1, "one")), "ok");
    ASSERT_EQ(Text(transaction.CommitAsync()), "ok");
  }
  EXPECT_EQ(Committed(), (Rows{{1, "one"}}));
}

TEST_P(TransactionEndTest, AFailedTransactionLeavesNothingInTheLog) {
  Given({{1, "one"}});
  const uint64_t before = engine_->Statistics().log_bytes;
  for (int i = 0; i < 3; ++i) {
    Transaction transaction = Begin();
    transaction.batch().Insert(table_, 2, "two");
    EXPECT_EQ(transaction.Insert(table_, 1, "x").code(), StatusCode::kDuplicate);
    EXPECT_EQ(transaction.Commit().code(), StatusCode::kTransactionOver);
  }
  EXPECT_EQ(engine_->Statistics().log_bytes, before);
  SimulatedFileSystem reopened(files_.Disk().AfterKill());
  EXPECT_EQ(AllRows(*OpenDatabase(SmallOptions(&reopened)), table_), (Rows{{1, "one"}}));
}

TEST_P(TransactionEndTest, AnotherThreadMayGoOnWithIt) {
  Transaction transaction = Begin();
  ASSERT_EQ(Text(transaction.Insert(table_, 1, "here")), "ok");
  std::thread([moved = std::move(transaction), this]() mutable {
    EXPECT_EQ(Text(moved.Insert(table_, 2, "there")), "ok");
    EXPECT_EQ(moved.Insert(table_, 1, "x").code(), StatusCode::kDuplicate);
    ExpectOver(moved);
  }).join();
  transaction = Begin();
  ASSERT_EQ(Text(transaction.Insert(table_, 3, "here")), "ok");
  std::thread([moved = std::move(transaction), this]() mutable {
    EXPECT_EQ(Text(moved.Insert(table_, 4, "there")), "ok");
    EXPECT_EQ(Text(moved.Commit()), "ok");
    ExpectOver(moved);
  }).join();
  EXPECT_EQ(Committed(), (Rows{{3, "here"}, {4, "there"}}));
}

TEST_P(TransactionEndTest, AnEmptyTransactionCommitsWithoutTouchingTheLog) {
  const uint64_t syncs = engine_->Statistics().log_syncs;
  Transaction transaction = Begin();
  EXPECT_EQ(Text(transaction.Commit()), "ok");
  ExpectOver(transaction);
  Transaction pipelined = Begin();
  EXPECT_EQ(Text(pipelined.CommitAsync()), "ok");
  EXPECT_EQ(Text(pipelined.Await()), "ok");
  EXPECT_EQ(engine_->Statistics().log_syncs, syncs);
}

TEST_P(TransactionEndTest, ABatchBeyondASegmentIsTooLargeAndLeavesNothing) {
  Transaction transaction = Begin();
  transaction.batch().Insert(table_, 1, "small");
  transaction.batch().Insert(table_, 2, std::string(kSmallestSegment, 'x'));
  transaction.batch().Insert(table_, 3, "small");
  const Status status = transaction.Commit();
  EXPECT_EQ(status.code(), StatusCode::kTooLarge);
  EXPECT_THAT(Text(status), HasSubstr(std::to_string(kSmallestSegment - 4096)));
  ExpectOver(transaction);
  Transaction many = Begin();
  for (int64_t key = 0; key < 300; ++key) many.batch().Insert(table_, key, std::string(4096, 'x'));
  EXPECT_EQ(many.Commit().code(), StatusCode::kTooLarge);
  EXPECT_EQ(Committed(), Rows());
  Given({{1, std::string(kSmallestSegment - 5000, 'x')}});  // this one fits
}

TEST_P(TransactionEndTest, ABatchALittleBeyondASegmentIsTooLargeEvenWhereMemoryForItWaits) {
  const auto commit = [this](int64_t rows) {
    Transaction transaction = Begin();
    for (int64_t key = 0; key < rows; ++key) {
      transaction.batch().Insert(table_, key, std::string(1000, 'x'));
    }
    return transaction.Commit();
  };
  constexpr int64_t kFit =
      (kSmallestSegment - 4096) / (12 + 1000);  // 12: of a row besides its value
  EXPECT_EQ(commit(kFit + 1).code(), StatusCode::kTooLarge);
  EXPECT_EQ(Text(commit(kFit - 1)), "ok");
}

TEST_P(TransactionEndTest, AHandleThatBeginsAnewEndsWhatItStoodFor) {
  Transaction handle = Begin();
  ASSERT_EQ(Text(handle.Insert(table_, 1, "rolled back")), "ok");
  ASSERT_EQ(Text(session_->Begin(GetParam(), handle)), "ok");
  ASSERT_EQ(Text(handle.Insert(table_, 2, "two")), "ok");
  ASSERT_EQ(Text(handle.CommitAsync()), "ok");
  const auto other = engine_->Connect();
  ASSERT_EQ(Text(other->Begin(GetParam(), handle)), "ok");
  EXPECT_EQ(Value(handle, table_, 2), "two");  // it was waited for
  ASSERT_EQ(Text(handle.Insert(table_, 3, "three")), "ok");
  ASSERT_EQ(Text(handle.Commit()), "ok");
  ASSERT_EQ(Text(session_->Begin(GetParam(), handle)), "ok");
  EXPECT_EQ(AllRows(handle, table_), (Rows{{2, "two"}, {3, "three"}}));
  handle = Transaction();
}

INSTANTIATE_TEST_SUITE_P(Kinds, TransactionEndTest, kEveryKind, KindName);

TEST(NoTransactionTest, AMovedFromOrDefaultTransactionIsOver) {
  Transaction none;
  EXPECT_EQ(none.Insert(0, 1, "x").code(), StatusCode::kTransactionOver);
  EXPECT_EQ(none.Commit().code(), StatusCode::kTransactionOver);
  none.batch().Insert(0, 1, "x");
  none.Rollback();
}

}  // namespace
}  // namespace burin
