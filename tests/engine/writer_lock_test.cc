// The writer lock: one holder at a time, and every way to end gives it back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <vector>

#include "tests/engine/concurrency_fixture.h"

namespace burin {
namespace {

class WriterLockTest : public ConcurrencyTest {};

TEST_F(WriterLockTest, OnlyOneHoldsTheWriterLock) {
  for (const TransactionKind holder_kind : {kExclusive, kSerial}) {
    Transaction holder = BeginOn(*first_, holder_kind);
    for (const TransactionKind kind : {kExclusive, kSerial}) {
      const auto refused = second_->Begin(kind);
      EXPECT_EQ(refused.status().code(), StatusCode::kBusy);
      EXPECT_THAT(Text(refused.status()), testing::HasSubstr("20 ms"));
    }
    Transaction free = BeginOn(*second_, kConcurrent);
    ASSERT_EQ(Text(free.Commit()), "ok");
    holder.Rollback();
    EXPECT_TRUE(second_->Begin(kExclusive).ok());
  }
}

TEST_F(WriterLockTest, EveryWayToEndGivesTheWriterLockBack) {
  Put(1, "one");
  const std::vector<std::function<void(Transaction&)>> ways = {
      [](Transaction& transaction) { EXPECT_TRUE(transaction.Commit().ok()); },
      [this](Transaction& transaction) {
        transaction.batch().Insert(table_, 2, "x");
        EXPECT_TRUE(transaction.Commit().ok());
      },
      [this](Transaction& transaction) {
        EXPECT_EQ(transaction.Insert(table_, 1, "x").code(), StatusCode::kDuplicate);
      },
      [this](Transaction& transaction) {
        transaction.batch().Insert(table_, 1, "x");
        EXPECT_EQ(transaction.Commit().code(), StatusCode::kDuplicate);
      },
      [this](Transaction& transaction) {
        transaction.batch().Insert(table_, 3, std::string(kSmallestSegment, 'x'));
        EXPECT_EQ(transaction.Commit().code(), StatusCode::kTooLarge);
      },
      [](Transaction& transaction) { transaction.Rollback(); },
      [](Transaction& transaction) { transaction = Transaction(); },
  };
  for (const TransactionKind kind : {kExclusive, kSerial}) {
    for (size_t i = 0; i < ways.size(); ++i) {
      SCOPED_TRACE(i);
      Transaction transaction = BeginOn(*first_, kind);
      ways[i](transaction);
      EXPECT_TRUE(second_->Begin(kind).ok());
      const auto cleaner = engine_->Connect();
      Transaction clean = BeginOn(*cleaner);
      clean.batch().Erase(table_, 2);
      static_cast<void>(clean.Commit());
    }
  }
}

TEST_F(WriterLockTest, TheExclusiveWriterKeepsItsLockUntilItIsDurable) {
  gate_.Shut();
  std::thread writer(
      [&] { EXPECT_EQ(Text(InsertRow(*first_, table_, 1, "x", kExclusive)), "ok"); });
  gate_.AwaitWaiting(1);
  EXPECT_EQ(second_->Begin(kExclusive).status().code(), StatusCode::kBusy);
  gate_.Open();
  writer.join();
  EXPECT_TRUE(second_->Begin(kExclusive).ok());
}

}  // namespace
}  // namespace burin
