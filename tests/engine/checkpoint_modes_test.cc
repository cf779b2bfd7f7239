// What writers do while a checkpoint runs, in each mode. The checkpoint is held up at a gate,
// before its first write, so that "while it runs" is as long as a test needs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/engine/sync_gate.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

using std::chrono::seconds;

class CheckpointModesTest : public testing::Test {
 protected:
  CheckpointModesTest() { gate_.Install(&files_, FileCall::Kind::kWrite, "/run-"); }
  ~CheckpointModesTest() override { gate_.Open(); }

  void OpenIn(CheckpointMode mode) {
    EngineOptions options = SmallOptions(&files_);
    options.checkpoint = mode;
    engine_ = OpenDatabase(options);
    table_ = MakeTable(*engine_);
    session_ = engine_->Connect();
  }

  void InsertNext() { ASSERT_EQ(Text(InsertRow(*session_, table_, next_key_++, "value")), "ok"); }

  // Returns when a checkpoint stands at the gate.
  void BeginCheckpoint() {
    gate_.Shut();
    const uint64_t freezes = engine_->Statistics().table_freezes;
    while (engine_->Statistics().table_freezes == freezes) InsertNext();
    gate_.AwaitWaiting(1);
  }

  SyncGate gate_;
  SimulatedFileSystem files_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Session> session_;
  TableId table_ = 0;
  int64_t next_key_ = 0;
};

// mvcc-passive and concurrent.
TEST_F(CheckpointModesTest, PassiveLetsWritersGoOnBesideACheckpoint) {
  WithDeadline(seconds(60), [&] {
    OpenIn(CheckpointMode::kPassive);
    BeginCheckpoint();
    for (int row = 0; row < 100; ++row) InsertNext();
    const EngineStatistics statistics = engine_->Statistics();
    EXPECT_TRUE(statistics.checkpoint_running);
    EXPECT_EQ(statistics.checkpoints, 0u);
    EXPECT_EQ(statistics.stalls, 0u);
    EXPECT_EQ(AllRows(*engine_, table_).size(), static_cast<size_t>(next_key_));
  });
}

TEST_F(CheckpointModesTest, PassiveWritersWaitOnlyWhenTwoFullTablesWaitAlready) {
  WithDeadline(seconds(60), [&] {
    OpenIn(CheckpointMode::kPassive);
    BeginCheckpoint();
    std::thread writer([&] {
      while (engine_->Statistics().table_freezes < 3) InsertNext();
    });
    while (!engine_->Statistics().writer_stalled) std::this_thread::yield();
    EXPECT_EQ(engine_->Statistics().table_freezes, 2u);
    EXPECT_EQ(engine_->Statistics().checkpoints, 0u);
    gate_.Open();
    writer.join();
    EXPECT_GE(engine_->Statistics().stalls, 1u);
    EXPECT_FALSE(engine_->Statistics().writer_stalled);
  });
}

// mvcc-truncate.
TEST_F(CheckpointModesTest, TruncateBlocksWritersUntilTheCheckpointIsDone) {
  WithDeadline(seconds(60), [&] {
    OpenIn(CheckpointMode::kTruncate);
    BeginCheckpoint();
    const uint64_t commits = engine_->Statistics().commits;
    const uint64_t stalls = engine_->Statistics().stalls;
    std::atomic<uint64_t> checkpoints_at_commit{0};
    std::thread writer([&] {
      InsertNext();
      checkpoints_at_commit = engine_->Statistics().checkpoints;
    });
    while (!engine_->Statistics().writer_stalled) std::this_thread::yield();
    EXPECT_EQ(engine_->Statistics().commits, commits);
    EXPECT_EQ(engine_->Statistics().stalls, stalls + 1);
    EXPECT_TRUE(engine_->Statistics().checkpoint_running);
    EXPECT_EQ(AllRows(*engine_, table_).size(),
              static_cast<size_t>(next_key_ - 1));  // readers go on
    gate_.Open();
    writer.join();
    EXPECT_EQ(checkpoints_at_commit.load(), 1u);
    EXPECT_EQ(engine_->Statistics().commits, commits + 1);
    EXPECT_GT(engine_->Statistics().longest_stall_ns, 0u);
    EXPECT_GE(engine_->Statistics().stall_ns, engine_->Statistics().longest_stall_ns);
  });
}

TEST_F(CheckpointModesTest, TheLongestStallAndSyncBeginAnewWhenAsked) {
  OpenIn(CheckpointMode::kTruncate);
  while (engine_->Statistics().stalls == 0) InsertNext();
  const EngineStatistics before = engine_->Statistics();
  EXPECT_GT(before.longest_stall_ns, 0u);
  EXPECT_GT(before.longest_sync_ns, 0u);
  engine_->RestartLongest();
  EXPECT_EQ(engine_->Statistics().longest_stall_ns, 0u);
  EXPECT_EQ(engine_->Statistics().longest_sync_ns, 0u);
  EXPECT_EQ(engine_->Statistics().stall_ns, before.stall_ns);
}

}  // namespace
}  // namespace burin
