// Merges behind a load: several at once, of runs that no other has.
#include <gtest/gtest.h>

#include <chrono>

#include "tests/engine/sync_gate.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

constexpr int64_t kRowsOfATransaction = 50;

// Ascending rows until so many checkpoints were made.
int64_t InsertUntil(Engine& engine, TableId table, uint64_t checkpoints, int64_t next) {
  auto session = engine.Connect();
  while (engine.Statistics().checkpoints < checkpoints && !testing::Test::HasFailure()) {
    Transaction transaction = BeginOn(*session);
    Batch batch = transaction.batch();
    for (int64_t i = 0; i < kRowsOfATransaction; ++i) batch.Insert(table, next++, "value");
    EXPECT_EQ(Text(transaction.Commit()), "ok");
  }
  return next;
}

TEST(Merges, OfNewRunsGoOnBesideOneOfOldRunsThatTakesLong) {
  WithDeadline(std::chrono::seconds(100), [] {
    SyncGate gate;
    SimulatedFileSystem files;
    gate.Install(&files, FileCall::Kind::kRemove, "run-");  // the last that a merge does
    gate.Shut();
    auto engine = OpenDatabase(SmallOptions(&files));
    const TableId table = MakeTable(*engine);
    const int64_t rows = InsertUntil(*engine, table, 40, 0);
    gate.AwaitWaiting(2);
    EXPECT_EQ(AllRows(*engine, table).size(), static_cast<size_t>(rows));
    gate.Open();
    EXPECT_EQ(Text(engine->MergeAll()), "ok");
    EXPECT_GE(engine->Statistics().merges, 3U);
    EXPECT_EQ(AllRows(*engine, table).size(), static_cast<size_t>(rows));
  });
}

TEST(Merges, OfAllRunsWaitForThoseUnderWay) {
  WithDeadline(std::chrono::seconds(100), [] {
    SimulatedFileSystem files;
    {
      auto engine = OpenDatabase(SmallOptions(&files));
      const TableId table = MakeTable(*engine);
      int64_t rows = 0;
      for (uint64_t checkpoints = 20; checkpoints <= 120; checkpoints += 20) {
        rows = InsertUntil(*engine, table, checkpoints, rows);
        EXPECT_EQ(Text(engine->MergeAll()), "ok");  // most likely beside one of the background
        EXPECT_EQ(AllRows(*engine, table).size(), static_cast<size_t>(rows));
      }
    }
    auto engine = OpenDatabase(SmallOptions(&files));
    EXPECT_GE(AllRows(*engine, MakeTable(*engine)).size(), 120U * 700U);
  });
}

}  // namespace
}  // namespace burin
