#include "engine/store/background_work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/engine/test_database.h"

namespace burin {
namespace {

using std::chrono::seconds;
using Kind = BackgroundTask::Kind;

constexpr uint64_t kMuch = uint64_t{1} << 40;  // hours of the limit at rest

class BackgroundWorkTest : public testing::Test {
 protected:
  std::atomic<uint64_t> log_bytes_{5000};
  BackgroundLimit limit_{[this] { return log_bytes_.load(); }};
  BackgroundCounts counts_;
};

TEST_F(BackgroundWorkTest, BytesAndCpuAreCountedWhileATaskRuns) {
  {
    BackgroundTask task(counts_, Kind::kCheckpoint, nullptr, 1);
    EXPECT_EQ(counts_.checkpoints_running.load(), 1u);
    EXPECT_EQ(counts_.merges_running.load(), 0u);
    task.Wrote(1000);
    task.Wrote(1500);
    EXPECT_EQ(counts_.bytes.load(), 1500u);
    EXPECT_GT(counts_.cpu_ns.load(), 0u);
  }
  EXPECT_EQ(counts_.checkpoints_running.load(), 0u);
  const BackgroundTask merge(counts_, Kind::kMerge, nullptr, 1);
  EXPECT_EQ(counts_.merges_running.load(), 1u);
}

TEST_F(BackgroundWorkTest, WhoIsAheadOfTheLimitWaitsUntilSomebodyIsInAHurry) {
  WithDeadline(seconds(60), [&] {
    std::atomic<bool> counted{false};
    std::atomic<bool> done{false};
    std::thread worker([&] {
      BackgroundTask task(counts_, Kind::kMerge, &limit_, 2);
      counted = true;
      task.Wrote(kMuch);
      done = true;
    });
    while (counts_.bytes.load() == 0) std::this_thread::yield();
    EXPECT_FALSE(done.load());
    {
      const Hurry hurry(&limit_);
      worker.join();
    }
    EXPECT_TRUE(done.load());
    EXPECT_TRUE(limit_.holds());
  });
}

TEST_F(BackgroundWorkTest, WhatTheLogGainsAllowsATaskItsMultiple) {
  WithDeadline(seconds(60), [&] {
    std::atomic<int> written{0};
    std::thread worker([&] {
      BackgroundTask task(counts_, Kind::kCheckpoint, &limit_, 2);
      while (counts_.merges.load() == 0) std::this_thread::yield();  // the log has grown
      task.Wrote(2 * kMuch);
      written = 1;
      task.Wrote(4 * kMuch);
      written = 2;
    });
    while (counts_.checkpoints_running.load() == 0) std::this_thread::yield();
    log_bytes_ += kMuch;
    counts_.merges = 1;
    while (counts_.bytes.load() != 4 * kMuch) std::this_thread::yield();
    EXPECT_EQ(written.load(), 1);
    log_bytes_ += kMuch;
    worker.join();
    EXPECT_EQ(written.load(), 2);
  });
}

TEST_F(BackgroundWorkTest, ADatabaseWithALimitKeepsUpWithItsWritersAndClosesAtOnce) {
  WithDeadline(seconds(60), [&] {
    SimulatedFileSystem files;
    EngineOptions options = SmallOptions(&files);
    options.limit_background = true;
    const auto engine = OpenDatabase(options);
    const TableId table = MakeTable(*engine);
    auto session = engine->Connect();
    for (int64_t key = 0; key < 20'000; key += 100) {
      Transaction transaction = BeginOn(*session);
      for (int64_t row = key; row < key + 100; ++row) {
        transaction.batch().Insert(table, row, std::string(100, 'x'));
      }
      ASSERT_EQ(Text(transaction.Commit()), "ok");
    }
    EXPECT_GT(engine->Statistics().checkpoints, 10u);
    EXPECT_EQ(AllRows(*engine, table).size(), 20'000u);
    session.reset();
    EXPECT_EQ(Text(engine->Close()), "ok");
  });
}

TEST_F(BackgroundWorkTest, ALittleIsAllowedAtAllTimes) {
  WithDeadline(seconds(60), [&] {
    BackgroundTask task(counts_, Kind::kCheckpoint, &limit_, 2);
    task.Wrote(1 << 20);  // waits for some 30 ms, though nobody writes to the log
  });
}

}  // namespace
}  // namespace burin
