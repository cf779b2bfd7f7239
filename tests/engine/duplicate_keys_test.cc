// An insert of a key that is there is refused wherever the key lies: in the active table, in a
// frozen one, in a run; also where the session has remembered that it was not there before.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "tests/engine/sync_gate.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

Status InsertRange(Session& session, TableId table, int64_t first, int64_t last) {
  Transaction transaction = BeginOn(session);
  Batch batch = transaction.batch();
  for (int64_t key = first; key <= last; ++key) batch.Insert(table, key, "value");
  return transaction.Commit();
}

class DuplicateKeysTest : public testing::Test {
 protected:
  // Rows of another table push all that is in memory into runs.
  void MoveToRuns() {
    const uint64_t before = engine_->Statistics().checkpoints;
    auto session = engine_->Connect();
    while (engine_->Statistics().checkpoints < before + 3) {
      ASSERT_EQ(Text(InsertRange(*session, filler_, next_filler_, next_filler_ + 99)), "ok");
      next_filler_ += 100;
    }
  }

  SyncGate gate_;
  SimulatedFileSystem files_;
  std::unique_ptr<Engine> engine_ = OpenDatabase(SmallOptions(&files_));
  TableId table_ = MakeTable(*engine_, "table");
  TableId filler_ = MakeTable(*engine_, "filler");
  int64_t next_filler_ = 0;
};

TEST_F(DuplicateKeysTest, AreRefusedInRunsThatCameAfterTheSessionRememberedTheRange) {
  auto session = engine_->Connect();
  auto other = engine_->Connect();
  ASSERT_EQ(Text(InsertRange(*session, table_, 0, 99)), "ok");
  MoveToRuns();
  ASSERT_EQ(Text(InsertRange(*session, table_, 1000, 1099)), "ok");  // remembers above 99
  ASSERT_EQ(Text(InsertRange(*other, table_, 1500, 1509)), "ok");
  MoveToRuns();
  EXPECT_EQ(InsertRange(*session, table_, 1450, 1549).code(), StatusCode::kDuplicate);
  EXPECT_EQ(InsertRange(*session, table_, 50, 149).code(), StatusCode::kDuplicate);
  EXPECT_EQ(InsertRange(*session, table_, 1509, 1509).code(), StatusCode::kDuplicate);
  EXPECT_EQ(Text(InsertRange(*session, table_, 1510, 1600)), "ok");
}

TEST_F(DuplicateKeysTest, WhatIsRememberedOfOneTableSaysNothingOfAnother) {
  const TableId second = MakeTable(*engine_, "second");
  auto session = engine_->Connect();
  auto other = engine_->Connect();
  ASSERT_EQ(Text(InsertRange(*other, second, 200, 299)), "ok");
  ASSERT_EQ(Text(InsertRange(*other, table_, 0, 99)), "ok");
  MoveToRuns();
  ASSERT_EQ(Text(InsertRange(*session, table_, 100, 199)), "ok");
  EXPECT_EQ(InsertRange(*session, second, 200, 299).code(), StatusCode::kDuplicate);
  EXPECT_EQ(Text(InsertRange(*session, table_, 200, 299)), "ok");
}

// While the first table is held frozen. Nothing but rows of one transaction each fills it.
TEST_F(DuplicateKeysTest, AreRefusedInAFrozenTableThatLoneRowsFilled) {
  gate_.Install(&files_, FileCall::Kind::kSync, "run-");
  gate_.Shut();
  auto session = engine_->Connect();
  int64_t next = 0;
  for (; engine_->Statistics().table_freezes == 0 && !HasFailure(); ++next) {
    EXPECT_EQ(Text(InsertRange(*session, table_, next, next)), "ok");
  }
  gate_.AwaitWaiting(1);
  for (int64_t key = 0; key < next && !HasFailure(); ++key) {
    EXPECT_EQ(InsertRange(*session, table_, key, key).code(), StatusCode::kDuplicate) << key;
  }
  gate_.Open();
}

// Of a batch that is too wide to be asked for as a whole, no row but one near its end is there.
TEST_F(DuplicateKeysTest, OneIsRefusedInAFrozenTableAmongThousandsOfNewKeys) {
  constexpr int64_t kKey = 100'000;
  gate_.Install(&files_, FileCall::Kind::kSync, "run-");
  gate_.Shut();
  auto session = engine_->Connect();
  EXPECT_EQ(Text(InsertRange(*session, table_, kKey, kKey)), "ok");
  for (; engine_->Statistics().table_freezes == 0 && !HasFailure(); ++next_filler_) {
    EXPECT_EQ(Text(InsertRange(*session, filler_, next_filler_, next_filler_)), "ok");
  }
  gate_.AwaitWaiting(1);
  EXPECT_EQ(InsertRange(*session, table_, kKey - 4'200, kKey + 100).code(), StatusCode::kDuplicate);
  gate_.Open();
  EXPECT_EQ(Text(InsertRange(*session, table_, kKey - 4'200, kKey - 1)), "ok");
}

// Inserts the same ascending ranges twice; at any time some of the first lie in each place.
TEST_F(DuplicateKeysTest, AreRefusedWhereverTheFirstLies) {
  auto session = engine_->Connect();
  auto other = engine_->Connect();
  int64_t next = 0;
  for (const int64_t rows : {int64_t{100}, int64_t{1}, int64_t{33}}) {
    for (int i = 0; i < 10'000 / rows; ++i) {
      ASSERT_EQ(Text(InsertRange(*session, table_, next, next + rows - 1)), "ok");
      next += rows;
      for (const int64_t back : {int64_t{1}, int64_t{300}, int64_t{1'000}, int64_t{5'000}}) {
        const int64_t again = std::max(next - back, int64_t{0});
        ASSERT_EQ(InsertRange(*other, table_, again, again).code(), StatusCode::kDuplicate);
        ASSERT_EQ(InsertRange(*session, table_, again, again + rows).code(),
                  StatusCode::kDuplicate);
      }
    }
  }
  EXPECT_GT(engine_->Statistics().checkpoints, 10U);
  EXPECT_EQ(AllRows(*engine_, table_).size(), static_cast<size_t>(next));
}

}  // namespace
}  // namespace burin
