// What transactions do to each other: conflicts, snapshots, what a reader may see of a commit that
// is not durable yet, and no lost updates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/engine/concurrency_fixture.h"

namespace burin {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AnyOf;

TEST_F(ConcurrencyTest, TheFirstUpdaterWins) {
  Put(1, "old");
  Transaction one = BeginOn(*first_);
  Transaction two = BeginOn(*second_);
  ASSERT_EQ(Text(one.Update(table_, 1, "one")), "ok");
  ASSERT_EQ(Text(two.Update(table_, 1, "two")), "ok");  // nobody has claimed the row yet
  ASSERT_EQ(Text(two.Commit()), "ok");
  EXPECT_EQ(one.Commit().code(), StatusCode::kConflict);
  EXPECT_EQ(one.Commit().code(), StatusCode::kTransactionOver);
  EXPECT_EQ(AllRows(*engine_, table_), (Rows{{1, "two"}}));
  EXPECT_EQ(engine_->Statistics().conflicts, 1u);
}

TEST_F(ConcurrencyTest, ARowChangedSinceTheSnapshotIsAConflictAtOnce) {
  Put(1, "old");
  Put(2, "old");
  for (int call = 0; call < 3; ++call) {
    Transaction transaction = BeginOn(*first_);
    Put(1, std::to_string(call), true);
    ASSERT_EQ(Text(transaction.Update(table_, 2, "x")), "ok");
    const Status status = call == 0   ? transaction.Update(table_, 1, "x")
                          : call == 1 ? transaction.Erase(table_, 1)
                                      : transaction.Insert(table_, 1, "x");
    EXPECT_EQ(status.code(), StatusCode::kConflict);
    EXPECT_EQ(transaction.Insert(table_, 9, "x").code(), StatusCode::kTransactionOver);
    EXPECT_EQ(transaction.Commit().code(), StatusCode::kTransactionOver);
  }
  EXPECT_EQ(AllRows(*engine_, table_), (Rows{{1, "2"}, {2, "old"}}));
}

TEST_F(ConcurrencyTest, TwoInsertsOfOneKeyLeaveOne) {
  Transaction one = BeginOn(*first_);
  Transaction two = BeginOn(*second_);
  ASSERT_EQ(Text(one.Insert(table_, 1, "one")), "ok");
  ASSERT_EQ(Text(two.Insert(table_, 1, "two")), "ok");
  ASSERT_EQ(Text(one.Commit()), "ok");
  EXPECT_THAT(two.Commit().code(), AnyOf(StatusCode::kConflict, StatusCode::kDuplicate));
  EXPECT_EQ(AllRows(*engine_, table_), (Rows{{1, "one"}}));
}

TEST_F(ConcurrencyTest, ARowThatAnotherWritesJustNowIsAConflict) {
  Put(1, "old");
  gate_.Shut();
  Transaction one = BeginOn(*first_);
  ASSERT_EQ(Text(one.Update(table_, 1, "one")), "ok");
  ASSERT_EQ(Text(one.Insert(table_, 2, "one")), "ok");
  ASSERT_EQ(Text(one.CommitAsync()), "ok");
  for (const int64_t key : {1, 2}) {
    Transaction two = BeginOn(*second_);
    const Status status = key == 1 ? two.Update(table_, 1, "two") : two.Insert(table_, 2, "two");
    EXPECT_EQ(status.code(), StatusCode::kConflict);
    Transaction batched = BeginOn(*second_);
    batched.batch().Erase(table_, key);
    EXPECT_EQ(batched.Commit().code(), StatusCode::kConflict);
  }
  gate_.Open();
  EXPECT_EQ(Text(one.Await()), "ok");
  EXPECT_EQ(AllRows(*engine_, table_), (Rows{{1, "one"}, {2, "one"}}));
}

TEST_F(ConcurrencyTest, AConflictInALaterRowFreesTheEarlierOnes) {
  Put(5, "old");
  Transaction one = BeginOn(*first_);
  for (const int64_t key : {1, 2, 3}) one.batch().Insert(table_, key, "one");
  one.batch().Update(table_, 5, "one");
  Put(5, "new", true);
  EXPECT_EQ(one.Commit().code(), StatusCode::kConflict);
  EXPECT_EQ(AllRows(*engine_, table_), (Rows{{5, "new"}}));
  Transaction retry = BeginOn(*first_);
  for (const int64_t key : {1, 2, 3}) {
    ASSERT_EQ(Text(retry.Insert(table_, key, "retry")), "ok");
  }
  ASSERT_EQ(Text(retry.Update(table_, 5, "retry")), "ok");
  ASSERT_EQ(Text(retry.Commit()), "ok");
}

TEST_F(ConcurrencyTest, ASnapshotStaysAsItWasAtBegin) {
  Put(1, "old");
  Put(2, "old");
  Transaction reader = BeginOn(*first_);
  Put(1, "new", true);
  Put(3, "new");
  Transaction eraser = BeginOn(*second_);
  ASSERT_EQ(Text(eraser.Erase(table_, 2)), "ok");
  ASSERT_EQ(Text(eraser.Commit()), "ok");
  for (int64_t key = 100; key < 3000; ++key) Put(key, "fills tables until they are frozen");
  EXPECT_GE(engine_->Statistics().table_freezes, 2u);
  EXPECT_EQ(AllRows(reader, table_), (Rows{{1, "old"}, {2, "old"}}));
  EXPECT_EQ(Get(reader, 1), "old");
  EXPECT_EQ(Get(reader, 2), "old");
  EXPECT_EQ(Get(reader, 3), std::nullopt);
  EXPECT_EQ(Text(reader.Commit()), "ok");
  Transaction later = BeginOn(*first_);
  EXPECT_EQ(AllRows(later, table_, 0, 99), (Rows{{1, "new"}, {3, "new"}}));
}

TEST_F(ConcurrencyTest, AnUpdateFindsAConflictInAFrozenTableToo) {
  Put(1, "old");
  Transaction late = BeginOn(*first_);
  Put(1, "new", true);
  for (int64_t key = 100; key < 1200; ++key) Put(key, "row");
  ASSERT_GE(engine_->Statistics().table_freezes, 1u);
  late.batch().Update(table_, 1, "late");
  EXPECT_EQ(late.Commit().code(), StatusCode::kConflict);
}

// Not durable yet.

TEST_F(ConcurrencyTest, AConcurrentTransactionSeesDurableRowsOnly) {
  gate_.Shut();
  Transaction writer = BeginOn(*first_);
  ASSERT_EQ(Text(writer.Insert(table_, 1, "one")), "ok");
  ASSERT_EQ(Text(writer.CommitAsync()), "ok");
  gate_.AwaitWaiting(1);
  EXPECT_FALSE(writer.Durable());
  Transaction before = BeginOn(*second_);
  EXPECT_EQ(Get(before, 1), std::nullopt);
  gate_.Open();
  ASSERT_EQ(Text(writer.Await()), "ok");
  EXPECT_TRUE(writer.Durable());
  EXPECT_EQ(Get(before, 1), std::nullopt);
  Transaction after = BeginOn(*second_);
  EXPECT_EQ(Get(after, 1), "one");
}

TEST_F(ConcurrencyTest, ASerialTransactionReadsTheNewestJoined) {
  Put(1, "old");
  gate_.Shut();
  Transaction one = BeginOn(*first_, kSerial);
  ASSERT_EQ(Text(one.Update(table_, 1, "one")), "ok");
  ASSERT_EQ(Text(one.CommitAsync()), "ok");  // gives the lock back
  Transaction two = BeginOn(*second_, kSerial);
  EXPECT_EQ(Get(two, 1), "one");
  ASSERT_EQ(Text(two.Update(table_, 1, "two")), "ok");
  ASSERT_EQ(Text(two.CommitAsync()), "ok");
  EXPECT_FALSE(two.Durable());
  gate_.Open();
  EXPECT_EQ(Text(one.Await()), "ok");
  EXPECT_EQ(Text(two.Await()), "ok");
  EXPECT_EQ(AllRows(*engine_, table_), (Rows{{1, "two"}}));
}

TEST_F(ConcurrencyTest, ASerialReaderIsNotToldOkBeforeWhatItReadIsDurable) {
  gate_.Shut();
  Transaction writer = BeginOn(*first_, kSerial);
  ASSERT_EQ(Text(writer.Insert(table_, 1, "one")), "ok");
  ASSERT_EQ(Text(writer.CommitAsync()), "ok");
  gate_.AwaitWaiting(1);
  std::atomic<bool> told{false};
  std::thread reader([&] {
    Transaction transaction = BeginOn(*second_, kSerial);
    EXPECT_EQ(Get(transaction, 1), "one");
    EXPECT_EQ(Text(transaction.Commit()), "ok");
    told = true;
  });
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_FALSE(told.load());
  gate_.Open();
  reader.join();
  EXPECT_EQ(Text(writer.Await()), "ok");
}

TEST_F(ConcurrencyTest, WhoReadWhatThenFailedFailsToo) {
  Put(1, "old");
  gate_.Shut();
  Transaction one = BeginOn(*first_, kSerial);
  ASSERT_EQ(Text(one.Update(table_, 1, "one")), "ok");
  ASSERT_EQ(Text(one.CommitAsync()), "ok");
  gate_.AwaitWaiting(1);
  Transaction two = BeginOn(*second_, kSerial);
  EXPECT_EQ(Get(two, 1), "one");
  ASSERT_EQ(Text(two.Insert(table_, 2, "depends on it")), "ok");
  ASSERT_EQ(Text(two.CommitAsync()), "ok");
  gate_.Open(Fault::kError);
  EXPECT_EQ(one.Await().code(), StatusCode::kCommitUnknown);
  EXPECT_THAT(two.Await().code(), AnyOf(StatusCode::kPoisoned, StatusCode::kCommitUnknown));
}

TEST_F(ConcurrencyTest, AReaderOfWhatThenFailedIsNotToldOk) {
  gate_.Shut();
  Transaction writer = BeginOn(*first_, kSerial);
  ASSERT_EQ(Text(writer.Insert(table_, 1, "one")), "ok");
  ASSERT_EQ(Text(writer.CommitAsync()), "ok");
  gate_.AwaitWaiting(1);
  Transaction reader = BeginOn(*second_, kSerial);
  EXPECT_EQ(Get(reader, 1), "one");
  gate_.Open(Fault::kError);
  EXPECT_EQ(writer.Await().code(), StatusCode::kCommitUnknown);
  EXPECT_THAT(reader.Commit().code(), AnyOf(StatusCode::kPoisoned, StatusCode::kCommitUnknown));
  EXPECT_EQ(reader.Commit().code(), StatusCode::kTransactionOver);
}

// Lost updates.

class LostUpdateTest : public testing::TestWithParam<TransactionKind> {};

TEST_P(LostUpdateTest, NoIncrementIsLost) {
  constexpr int kThreads = 4, kIncrements = 100;
  SimulatedFileSystem files;
  const auto engine = OpenDatabase(SmallOptions(&files));
  const TableId table = MakeTable(*engine);
  ASSERT_EQ(Text(InsertRow(*engine->Connect(), table, 1, "0")), "ok");
  std::atomic<int> conflicts{0};
  const auto increment = [&] {
    const auto session = engine->Connect();
    for (int done = 0; done < kIncrements;) {
      Transaction transaction = BeginOn(*session, GetParam());
      const auto before = transaction.Get(table, 1);
      ASSERT_TRUE(before.ok() && before->has_value());
      Status status = transaction.Update(table, 1, std::to_string(std::stoi(**before) + 1));
      if (status.ok()) status = transaction.Commit();
      if (status.ok()) ++done;
      if (status.code() == StatusCode::kConflict) ++conflicts;
      ASSERT_TRUE(status.ok() || status.code() == StatusCode::kConflict) << status.message();
    }
  };
  WithDeadline(seconds(60), [&] {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back(increment);
    for (std::thread& thread : threads) thread.join();
  });
  EXPECT_EQ(AllRows(*engine, table), (Rows{{1, std::to_string(kThreads * kIncrements)}}));
  if (GetParam() != kConcurrent) {
    EXPECT_EQ(conflicts.load(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, LostUpdateTest, testing::Values(kExclusive, kSerial, kConcurrent),
                         KindName);

}  // namespace
}  // namespace burin
