// What transactions do to each other: conflicts, snapshots, the writer lock, pipelined commits, and
// what a reader may see of a commit that is not durable yet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/engine/sync_gate.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AnyOf;

constexpr auto kConcurrent = TransactionKind::kConcurrent;
constexpr auto kSerial = TransactionKind::kSerial;
constexpr auto kExclusive = TransactionKind::kExclusive;

class ConcurrencyTest : public testing::Test {
 protected:
  static EngineOptions Options(FileSystem* files) {
    EngineOptions options = SmallOptions(files);
    options.busy_timeout = milliseconds(20);
    return options;
  }

  ConcurrencyTest() { gate_.Install(&files_); }
  ~ConcurrencyTest() override { gate_.Open(); }

  std::optional<std::string> Get(Transaction& transaction, int64_t key) {
    auto value = transaction.Get(table_, key);
    EXPECT_TRUE(value.ok()) << value.status().message();
    return value.ok() ? *value : std::nullopt;
  }

  void Put(int64_t key, const std::string& value, bool update = false) {
    Transaction transaction = BeginOn(*other_);
    if (update) {
      transaction.batch().Update(table_, key, value);
    } else {
      transaction.batch().Insert(table_, key, value);
    }
    ASSERT_EQ(Text(transaction.Commit()), "ok");
  }

  SyncGate gate_;
  SimulatedFileSystem files_;
  std::unique_ptr<Engine> engine_ = OpenDatabase(Options(&files_));
  TableId table_ = MakeTable(*engine_);
  std::unique_ptr<Session> first_ = engine_->Connect();
  std::unique_ptr<Session> second_ = engine_->Connect();
  std::unique_ptr<Session> other_ = engine_->Connect();
};

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

// The writer lock.

TEST_F(ConcurrencyTest, OnlyOneHoldsTheWriterLock) {
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

TEST_F(ConcurrencyTest, EveryWayToEndGivesTheWriterLockBack) {
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

TEST_F(ConcurrencyTest, TheExclusiveWriterKeepsItsLockUntilItIsDurable) {
  gate_.Shut();
  std::thread writer(
      [&] { EXPECT_EQ(Text(InsertRow(*first_, table_, 1, "x", kExclusive)), "ok"); });
  gate_.AwaitWaiting(1);
  EXPECT_EQ(second_->Begin(kExclusive).status().code(), StatusCode::kBusy);
  gate_.Open();
  writer.join();
  EXPECT_TRUE(second_->Begin(kExclusive).ok());
}

// Pipelined commits.

TEST_F(ConcurrencyTest, PipelinedCommitsBecomeDurableInTheirOrder) {
  std::vector<Transaction> in_flight;
  for (int64_t key = 0; key < 200; ++key) {
    in_flight.push_back(BeginOn(*first_));
    in_flight.back().batch().Insert(table_, key, "row");
    ASSERT_EQ(Text(in_flight.back().CommitAsync()), "ok");
    bool later_is_durable = false;
    for (auto at = in_flight.rbegin(); at != in_flight.rend(); ++at) {
      const bool durable = at->Durable();
      EXPECT_TRUE(durable || !later_is_durable);
      later_is_durable = later_is_durable || durable;
    }
  }
  std::chrono::steady_clock::time_point previous{};
  for (Transaction& transaction : in_flight) {
    ASSERT_EQ(Text(transaction.Await()), "ok");
    EXPECT_LE(previous, transaction.durable_at());
    previous = transaction.durable_at();
  }
  EXPECT_EQ(AllRows(*engine_, table_).size(), 200u);
  EXPECT_LE(previous, std::chrono::steady_clock::now());
}

TEST_F(ConcurrencyTest, ManyPipelinedCommitsShareASync) {
  gate_.Shut();
  std::vector<Transaction> in_flight;
  for (int64_t key = 0; key < 50; ++key) {
    in_flight.push_back(BeginOn(*first_));
    in_flight.back().batch().Insert(table_, key, "row");
    ASSERT_EQ(Text(in_flight.back().CommitAsync()), "ok");
    if (key == 0) gate_.AwaitWaiting(1);
  }
  const uint64_t groups = engine_->Statistics().groups;
  gate_.Open();
  for (Transaction& transaction : in_flight) ASSERT_EQ(Text(transaction.Await()), "ok");
  EXPECT_EQ(engine_->Statistics().groups - groups, 2u);
}

TEST_F(ConcurrencyTest, AGroupOfMoreRecordsThanOneWriteTakesIsWhole) {
  // With small tables a checkpoint would have to wait for what the gate holds up.
  EngineOptions options = SmallOptions(&files_);
  options.table_slots = 1 << 14;
  const auto engine = OpenDatabase(options, "/larger");
  const TableId table = MakeTable(*engine);
  const auto session = engine->Connect();
  gate_.Shut();
  std::vector<Transaction> in_flight;
  for (int64_t key = 0; key < 3000; ++key) {
    in_flight.push_back(BeginOn(*session));
    in_flight.back().batch().Insert(table, key, "row");
    ASSERT_EQ(Text(in_flight.back().CommitAsync()), "ok");
  }
  gate_.Open();
  for (Transaction& transaction : in_flight) ASSERT_EQ(Text(transaction.Await()), "ok");
  SimulatedFileSystem reopened(files_.Disk().AfterKill());
  EXPECT_EQ(AllRows(*OpenDatabase(SmallOptions(&reopened), "/larger"), table).size(), 3000u);
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
