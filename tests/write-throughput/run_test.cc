#include "apps/write-throughput/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "apps/write-throughput/window.h"
#include "tests/write-throughput/fake_target.h"

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class RunTest : public testing::Test {
 protected:
  RunTest() : info_(FakeTargetInfo(database_)) {
    auto options = ParseOptions({"prog", "-t", "2", "-b", "10", "-i", "5", "--counters", "none"});
    options_ = *options;
    cell_.engine = &info_;
    cell_.threads = 2;
    cell_.batch_size = 10;
  }

  RunOutcome Run() {
    Interrupt interrupt(Interrupt::Of::kCell);
    return RunOnce({options_, cell_, 1, values_}, interrupt, {});
  }

  FakeDatabase database_;
  const TargetInfo info_;
  Options options_;
  Cell cell_;
  const Values values_ = Values::Plain();
};

TEST_F(RunTest, MakesARecordOfTheWindow) {
  cell_.mode = Mode::kConcurrent;
  cell_.compute_us = 1;
  options_.compute_clock = ComputeClock::kCpu;
  options_.verify = true;
  const RunOutcome outcome = Run();
  ASSERT_TRUE(outcome.record) << outcome.failure.value_or("");
  const metrics::ResultRecord& record = *outcome.record;
  EXPECT_EQ(record.system, "Fake");
  EXPECT_EQ(record.mode, "concurrent");
  EXPECT_EQ(record.in_flight, 64);
  EXPECT_EQ(record.compute_clock, "cpu");
  EXPECT_EQ(record.rows, 100);
  EXPECT_EQ(record.transactions, 10);
  EXPECT_THAT(record.rows_per_thread, ElementsAre(50, 50));
  EXPECT_GT(record.seconds, 0);
  EXPECT_DOUBLE_EQ(record.rows_per_second, 100 / record.seconds);
  EXPECT_EQ(record.commit_latency_ns.Count(), 10u);
  EXPECT_EQ(record.syncs, 10u);
  EXPECT_TRUE(record.counters.empty());
  EXPECT_TRUE(record.verified);
  EXPECT_EQ(record.rows_verified, 100);
  EXPECT_FALSE(record.interrupted);
}

TEST_F(RunTest, CountsOfTheWarmupAreNotInTheRecord) {
  options_.warmup = std::chrono::milliseconds(20);
  const RunOutcome outcome = Run();
  ASSERT_TRUE(outcome.record);
  EXPECT_EQ(outcome.record->transactions, 10);
  EXPECT_EQ(outcome.record->syncs, 10u);
  EXPECT_GT(database_.commits, 10);
}

TEST_F(RunTest, ALyingTargetIsCaughtAndItsRowIsLost) {
  options_.verify = true;
  database_.misbehaviour.drop = {37};
  const RunOutcome outcome = Run();
  EXPECT_FALSE(outcome.record);
  EXPECT_EQ(outcome.failure, "--verify: row 37 of an acknowledged transaction is missing");
}

TEST_F(RunTest, AFailureIsTheEnginesOwnAndAcknowledgedRowsAreStillVerified) {
  options_.verify = true;
  database_.misbehaviour.commit = [](int attempt) {
    return attempt == 4 ? Outcome::kFailed : Outcome::kOk;
  };
  const RunOutcome outcome = Run();
  EXPECT_FALSE(outcome.record);
  ASSERT_TRUE(outcome.failure);
  EXPECT_THAT(*outcome.failure,
              HasSubstr("the fake failed; transactions in doubt: 1; --verify: all"));
}

// A full disk may leave no room to recover in: then nothing is known of the acknowledged rows.
TEST_F(RunTest, ADatabaseThatCannotBeReopenedAfterAFailureIsToldOf) {
  options_.verify = true;
  database_.misbehaviour.commit = [](int attempt) {
    return attempt == 4 ? Outcome::kFailed : Outcome::kOk;
  };
  database_.misbehaviour.reopen_failure = "no\nroom";
  const RunOutcome outcome = Run();
  ASSERT_TRUE(outcome.failure);
  EXPECT_THAT(*outcome.failure,
              HasSubstr("the fake failed; transactions in doubt: 1; --verify: no\\nroom"));
}

TEST_F(RunTest, WhatFailsBeforeTheLoadEndsTheRun) {
  database_.misbehaviour.connect_failure = "no\nline";
  EXPECT_EQ(Run().failure, "no\\nline");
  database_.misbehaviour.create_failure = "no disk";
  const RunOutcome outcome = Run();
  EXPECT_EQ(outcome.failure, "no disk");
  EXPECT_FALSE(outcome.record);
}

TEST_F(RunTest, IntervalsAddUpToTheWhole) {
  options_.iterations.reset();
  options_.duration = std::chrono::milliseconds(100);
  options_.interval = std::chrono::milliseconds(10);
  options_.counters = metrics::CounterMode::kAuto;
  options_.events = metrics::DefaultEvents();
  const RunOutcome outcome = Run();
  ASSERT_TRUE(outcome.record);
  const metrics::ResultRecord& record = *outcome.record;
  ASSERT_GE(record.intervals.size(), 2u);
  uint64_t rows = 0;
  double task_clock = 0;
  for (const metrics::Interval& interval : record.intervals) {
    rows += interval.rows;
    ASSERT_FALSE(interval.counters.empty());
    EXPECT_EQ(interval.counters.front().event, "task-clock");
    task_clock += interval.counters.front().value;
  }
  EXPECT_EQ(rows, static_cast<uint64_t>(record.rows));
  EXPECT_DOUBLE_EQ(record.intervals.back().end_seconds, record.seconds);
  ASSERT_FALSE(record.counters.empty());
  EXPECT_DOUBLE_EQ(task_clock, record.counters.front().value);
}

TEST_F(RunTest, WhatHappenedBehindTheLoadIsThatOfTheWindow) {
  database_.background.checkpoints = 10;
  database_.background.stall_ns = 500;
  database_.background.longest_stall_ns = 500;
  database_.on_restart_longest = [this] { database_.background.longest_stall_ns = 0; };
  database_.misbehaviour.on_insert = [this](int64_t id) {
    const std::lock_guard lock(database_.mutex);
    if (id != 0) return;
    database_.background.checkpoints += 2;
    database_.background.merges += 1;
    database_.background.background_bytes += 4096;
    database_.background.background_cpu_ns += 77;
    database_.background.stalls += 3;
    database_.background.stall_ns += 90;
    database_.background.longest_stall_ns = 40;
    database_.background.longest_sync_ns = 30;
  };
  const RunOutcome outcome = Run();
  ASSERT_TRUE(outcome.record);
  const metrics::Background& background = outcome.record->background;
  EXPECT_EQ(background.checkpoints, 2u);
  EXPECT_EQ(background.merges, 1u);
  EXPECT_EQ(background.bytes_written, 4096u);
  EXPECT_EQ(background.cpu_ns, 77u);
  EXPECT_EQ(background.stalls, 3u);
  EXPECT_EQ(background.stall_ns, 90u);
  EXPECT_EQ(background.longest_stall_ns, 40u);
  EXPECT_EQ(background.longest_sync_ns, 30u);
}

class SampleBackgroundTest : public testing::Test {
 protected:
  SampleBackgroundTest() { window_.Open(); }

  FakeDatabase database_;
  const std::unique_ptr<Target> target_ = MakeFakeTarget(database_);
  Window window_{*target_, {}, "."};
};

TEST_F(SampleBackgroundTest, MarksEveryIntervalThatACheckpointTouches) {
  EXPECT_FALSE(window_.SampleBackground().checkpoint);
  database_.background.checkpoint_running = true;
  EXPECT_TRUE(window_.SampleBackground().checkpoint);  // it began
  EXPECT_TRUE(window_.SampleBackground().checkpoint);  // it went on
  database_.background.checkpoint_running = false;
  ++database_.background.checkpoints;
  EXPECT_TRUE(window_.SampleBackground().checkpoint);  // it ended
  EXPECT_FALSE(window_.SampleBackground().checkpoint);
  ++database_.background.checkpoints;
  EXPECT_TRUE(window_.SampleBackground().checkpoint);  // all of it between two samples
  EXPECT_FALSE(window_.SampleBackground().merge);
  EXPECT_FALSE(window_.SampleBackground().stall);
}

TEST_F(SampleBackgroundTest, MarksMergesAndStallsLikewise) {
  database_.background.merge_running = true;
  database_.background.stalled = true;
  ++database_.background.stalls;
  for (int i = 0; i < 2; ++i) {
    const BackgroundSample sample = window_.SampleBackground();
    EXPECT_TRUE(sample.merge);
    EXPECT_TRUE(sample.stall);
    EXPECT_FALSE(sample.checkpoint);
  }
  database_.background.merge_running = database_.background.stalled = false;
  window_.SampleBackground();
  ++database_.background.merges;
  EXPECT_TRUE(window_.SampleBackground().merge);
  EXPECT_FALSE(window_.SampleBackground().stall);
}

TEST_F(RunTest, InterruptedItReportsWhatWasMeasuredAndStillVerifies) {
  options_.iterations = 1'000'000'000;
  options_.verify = true;
  database_.misbehaviour.on_insert = [](int64_t id) {
    if (id == 100) kill(getpid(), kStopCell);
  };
  const RunOutcome outcome = Run();
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_FALSE(outcome.failure);
  ASSERT_TRUE(outcome.record);
  EXPECT_TRUE(outcome.record->interrupted);
  EXPECT_TRUE(outcome.record->verified);
  EXPECT_EQ(outcome.record->rows_verified, outcome.record->rows);
}

TEST_F(RunTest, InterruptedBeforeAnythingWasAcknowledgedThereIsNoRecord) {
  Interrupt interrupt(Interrupt::Of::kCell);
  kill(getpid(), kStopCell);
  options_.warmup = std::chrono::hours(1);
  const RunOutcome outcome = RunOnce({options_, cell_, 1, values_}, interrupt, {});
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_FALSE(outcome.record);
  EXPECT_FALSE(outcome.failure);
}

}  // namespace
}  // namespace throughput
