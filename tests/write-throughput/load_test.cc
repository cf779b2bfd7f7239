#include "apps/write-throughput/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "tests/write-throughput/fake_target.h"

namespace throughput {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

LoadPlan Plan(int threads, int64_t batch_size, std::optional<int64_t> iterations) {
  LoadPlan plan;
  plan.layout = {threads, batch_size, iterations};
  return plan;
}

class LoadTest : public testing::Test {
 protected:
  LoadResult Run(const LoadPlan& plan, const Watch& watch = {}) {
    const auto target = MakeFakeTarget(database_);
    std::vector<std::unique_ptr<Connection>> connections;
    for (int i = 0; i < plan.layout.threads; ++i) connections.push_back(*target->Connect());
    load_ = std::make_unique<Load>(plan, values_, std::move(connections),
                                   WindowHooks{[this] { ++opened_; }, [this] { ++closed_; }});
    return load_->Run(watch);
  }

  int64_t Transactions() const {
    int64_t sum = 0;
    for (const auto& thread : load_->threads()) sum += thread->transactions();
    return sum;
  }

  const LoadThread& First() const { return *load_->threads().front(); }

  FakeDatabase database_;
  const Values values_ = Values::Plain();
  std::unique_ptr<Load> load_;
  int opened_ = 0;
  int closed_ = 0;
};

TEST_F(LoadTest, WritesEveryRowOnceWithItsValue) {
  const LoadResult result = Run(Plan(4, 10, 25));
  EXPECT_TRUE(result.measured);
  EXPECT_FALSE(result.failure);
  EXPECT_EQ(opened_, 1);
  EXPECT_EQ(closed_, 1);
  ASSERT_EQ(database_.rows.size(), 1000u);
  EXPECT_EQ(database_.rows.begin()->first, 0);
  EXPECT_EQ(database_.rows.rbegin()->first, 999);
  EXPECT_EQ(database_.rows.at(137), "data_137");
  EXPECT_EQ(Transactions(), 100);
  EXPECT_GE(result.start_skew_us, 0);
  for (const auto& thread : load_->threads()) {
    EXPECT_EQ(thread->transactions(), 25);
    EXPECT_EQ(thread->commit_latency_ns().Count(), 25u);
  }
}

TEST_F(LoadTest, ManyMoreThreadsThanCoresMeetAtTheLine) {
  EXPECT_TRUE(Run(Plan(256, 1, 2)).measured);
  EXPECT_EQ(Transactions(), 512);
}

TEST_F(LoadTest, PipelinedTransactionsAreAllAcknowledgedBeforeTheWindowCloses) {
  LoadPlan plan = Plan(2, 10, 100);
  plan.pipelined = true;
  plan.in_flight = 8;
  EXPECT_FALSE(Run(plan).failure);
  EXPECT_EQ(database_.rows.size(), 2000u);
  EXPECT_EQ(database_.awaits, 200);
  EXPECT_EQ(Transactions(), 200);
}

TEST_F(LoadTest, WarmupRowsHaveTheirOwnIdsAndCountNowhere) {
  LoadPlan plan = Plan(2, 10, 5);
  plan.warmup = milliseconds(20);
  EXPECT_TRUE(Run(plan).measured);
  EXPECT_EQ(Transactions(), 10);
  EXPECT_EQ(First().commit_latency_ns().Count(), 5u);
  EXPECT_GT(First().log(Phase::kWarmup).begun, 0);
  EXPECT_EQ(database_.rows.at(-1), "data_-1");
  EXPECT_EQ(database_.rows.at(99), "data_99");
  EXPECT_FALSE(database_.rows.contains(100));
}

TEST_F(LoadTest, ADurationEndsIt) {
  LoadPlan plan = Plan(2, 1, std::nullopt);
  plan.duration = milliseconds(30);
  EXPECT_TRUE(Run(plan).measured);
  EXPECT_GT(Transactions(), 0);
  EXPECT_EQ(database_.rows.size(), static_cast<size_t>(Transactions()));
}

TEST_F(LoadTest, ConflictsAndBusyLocksAreRunAnewAndCounted) {
  database_.misbehaviour.commit = [](int attempt) {
    return attempt % 3 == 0 ? Outcome::kConflict : Outcome::kOk;
  };
  database_.misbehaviour.begin = [](int attempt) {
    return attempt % 5 == 0 ? Outcome::kBusy : Outcome::kOk;
  };
  EXPECT_FALSE(Run(Plan(1, 10, 20)).failure);
  EXPECT_EQ(database_.rows.size(), 200u);
  EXPECT_EQ(First().conflicts(), database_.commits / 3);
  EXPECT_EQ(First().retries(), database_.rollbacks);
  EXPECT_GT(First().retries(), First().conflicts());
  EXPECT_EQ(First().commit_latency_ns().Count(), 20u);
}

TEST_F(LoadTest, ASubmittedTransactionThatMeetsAConflictIsRunAnew) {
  database_.misbehaviour.await = [](int attempt) {
    return attempt % 4 == 0 ? Outcome::kConflict : Outcome::kOk;
  };
  LoadPlan plan = Plan(1, 10, 30);
  plan.pipelined = true;
  plan.in_flight = 4;
  EXPECT_FALSE(Run(plan).failure);
  EXPECT_EQ(database_.rows.size(), 300u);
  EXPECT_EQ(Transactions(), 30);
  EXPECT_GT(First().conflicts(), 0);
}

TEST_F(LoadTest, RetriesEndWithTheTimeout) {
  database_.misbehaviour.commit = [](int) { return Outcome::kConflict; };
  LoadPlan plan = Plan(1, 1, 1);
  plan.retry_limit = milliseconds(5);
  const LoadResult result = Run(plan);
  ASSERT_TRUE(result.failure);
  EXPECT_THAT(*result.failure, HasSubstr("conflicts for 5 ms"));
  EXPECT_THAT(First().log(Phase::kMeasured).refused, ElementsAre(0));
  EXPECT_EQ(Transactions(), 0);
}

TEST_F(LoadTest, AFailedCommitIsInDoubtAndEndsTheRunForAllThreads) {
  database_.misbehaviour.commit = [](int attempt) {
    return attempt == 10 ? Outcome::kFailed : Outcome::kOk;
  };
  const LoadResult result = Run(Plan(2, 1, 1'000'000'000));
  EXPECT_EQ(result.failure, "the fake failed");
  EXPECT_TRUE(result.measured);
  const PhaseLog& first = load_->threads()[0]->log(Phase::kMeasured);
  const PhaseLog& second = load_->threads()[1]->log(Phase::kMeasured);
  EXPECT_EQ(first.in_doubt.size() + second.in_doubt.size(), 1u);
  EXPECT_EQ(first.Acknowledged() + second.Acknowledged(), Transactions());
}

TEST_F(LoadTest, AFailedBeginHasNoEffectAndIsNotInDoubt) {
  database_.misbehaviour.begin = [](int attempt) {
    return attempt == 3 ? Outcome::kFailed : Outcome::kOk;
  };
  EXPECT_TRUE(Run(Plan(1, 1, 5)).failure);
  EXPECT_THAT(First().log(Phase::kMeasured).refused, ElementsAre(2));
  EXPECT_TRUE(First().log(Phase::kMeasured).in_doubt.empty());
}

TEST_F(LoadTest, AfterAFailureTheRestOfThePipelineIsStillAskedFor) {
  database_.misbehaviour.await = [](int attempt) {
    return attempt == 2 ? Outcome::kFailed : Outcome::kOk;
  };
  LoadPlan plan = Plan(1, 1, 100);
  plan.pipelined = true;
  plan.in_flight = 5;
  EXPECT_TRUE(Run(plan).failure);
  EXPECT_THAT(First().log(Phase::kMeasured).in_doubt, ElementsAre(1));
  EXPECT_EQ(First().log(Phase::kMeasured).Acknowledged(), Transactions());
  EXPECT_EQ(database_.awaits, database_.commits);
}

TEST_F(LoadTest, AnExceptionIsCarriedOutAsAFailure) {
  database_.misbehaviour.on_insert = [](int64_t id) {
    if (id == 7) throw std::runtime_error("out of paper");
  };
  const LoadResult result = Run(Plan(2, 1, 10));
  ASSERT_TRUE(result.failure);
  EXPECT_THAT(*result.failure, HasSubstr("load thread 0: out of paper"));
  EXPECT_THAT(First().log(Phase::kMeasured).in_doubt, ElementsAre(7));
}

TEST_F(LoadTest, AReadableDescriptorStopsIt) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  database_.misbehaviour.on_insert = [&](int64_t id) {
    if (id != 50) return;
    EXPECT_EQ(write(ends[1], "x", 1), 1);
  };
  Watch watch;
  watch.stop_descriptor = ends[0];
  const LoadResult result = Run(Plan(2, 1, 1'000'000'000'000), watch);
  EXPECT_TRUE(result.interrupted);
  EXPECT_TRUE(result.measured);
  EXPECT_FALSE(result.failure);
  EXPECT_EQ(database_.rows.size(), static_cast<size_t>(Transactions()));
  close(ends[0]);
  close(ends[1]);
}

// A process that wakes all the time seems to work, and what hangs in it gets ten times as long.
TEST_F(LoadTest, StoppedItSleepsUntilItsThreadsAreDone) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  database_.misbehaviour.commit = [&](int) {
    EXPECT_EQ(write(ends[1], "x", 1), 1);
    std::this_thread::sleep_for(milliseconds(300));
    return Outcome::kOk;
  };
  Watch watch;
  watch.stop_descriptor = ends[0];
  rusage before{};
  getrusage(RUSAGE_THREAD, &before);
  EXPECT_TRUE(Run(Plan(1, 1, 1000), watch).interrupted);
  rusage after{};
  getrusage(RUSAGE_THREAD, &after);
  EXPECT_LT(after.ru_nvcsw - before.ru_nvcsw, 50);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(LoadTest, StoppedInTheWarmupNothingIsMeasured) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "x", 1), 1);
  LoadPlan plan = Plan(2, 1, 10);
  plan.warmup = std::chrono::hours(1);
  Watch watch;
  watch.stop_descriptor = ends[0];
  const LoadResult result = Run(plan, watch);
  EXPECT_TRUE(result.interrupted);
  EXPECT_FALSE(result.measured);
  EXPECT_EQ(opened_, 0);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(LoadTest, PastTheDeadlineItSaysHowManyStartedAndDoesNotHang) {
  LoadPlan plan = Plan(300, 1, 1);
  plan.start_deadline = std::chrono::nanoseconds(0);
  const LoadResult result = Run(plan);
  EXPECT_FALSE(result.measured);
  ASSERT_TRUE(result.failure);
  EXPECT_THAT(*result.failure, HasSubstr(" of 300 load threads started within 0 s"));
  EXPECT_TRUE(database_.rows.empty());
}

TEST_F(LoadTest, TickersSeeTheWindowGoOn) {
  LoadPlan plan = Plan(2, 1, std::nullopt);
  plan.duration = milliseconds(60);
  std::vector<LoadSample> samples;
  Watch watch;
  watch.tickers.push_back(
      {milliseconds(10), [&](const LoadSample& sample) { samples.push_back(sample); }});
  Run(plan, watch);
  ASSERT_FALSE(samples.empty());
  for (size_t i = 1; i < samples.size(); ++i) {
    EXPECT_GT(samples[i].since_open, samples[i - 1].since_open);
    EXPECT_GE(samples[i].transactions, samples[i - 1].transactions);
  }
  EXPECT_LE(samples.back().transactions, Transactions());
}

TEST_F(LoadTest, AnOpenLoopKeepsToItsRate) {
  LoadPlan plan = Plan(2, 1, 10);
  plan.rate = 200;  // the last of 20 is due 95 ms behind the start
  const auto start = Clock::now();
  EXPECT_FALSE(Run(plan).failure);
  EXPECT_GE(Clock::now() - start, milliseconds(90));
  EXPECT_EQ(database_.rows.size(), 20u);
  EXPECT_EQ(First().commit_latency_ns().Count(), 10u);
  EXPECT_EQ(First().arrivals().service_ns.Count(), 10u);
}

TEST_F(LoadTest, AnOpenLoopThatFallsBehindCountsLatencyFromTheIntendedStart) {
  database_.misbehaviour.on_insert = [](int64_t) { std::this_thread::sleep_for(milliseconds(2)); };
  LoadPlan plan = Plan(1, 1, 30);
  plan.rate = 1'000'000;
  EXPECT_FALSE(Run(plan).failure);
  const ArrivalLog& arrivals = First().arrivals();
  EXPECT_GE(First().commit_latency_ns().max(), 55'000'000);  // 29 waited for, and its own
  EXPECT_LT(arrivals.service_ns.min(), First().commit_latency_ns().max() / 5);
  EXPECT_GE(arrivals.behind_last, 50'000);
  EXPECT_GT(arrivals.backlog_most, 20) << "nearly all were due when the first ones were done";
  EXPECT_LT(arrivals.backlog_most, 30) << "there are no more";
  EXPECT_EQ(arrivals.backlog_last, 0) << "behind the last one there is none";
}

TEST_F(LoadTest, AnIdleThreadOfAnOpenLoopAsksForWhatItSubmitted) {
  LoadPlan plan = Plan(1, 1, 3);
  plan.rate = 50;
  plan.pipelined = true;
  plan.in_flight = 64;
  EXPECT_FALSE(Run(plan).failure);
  // The first is asked for before the second is due, not 40 ms later with the last.
  EXPECT_LT(First().commit_latency_ns().min(), 20'000'000);
  EXPECT_EQ(Transactions(), 3);
}

TEST_F(LoadTest, ADurationEndsAnOpenLoopThoughNothingIsDue) {
  LoadPlan plan = Plan(2, 1, std::nullopt);
  plan.rate = 1;
  plan.duration = milliseconds(20);
  EXPECT_TRUE(Run(plan).measured);
  EXPECT_EQ(Transactions(), 1);
}

}  // namespace
}  // namespace throughput
