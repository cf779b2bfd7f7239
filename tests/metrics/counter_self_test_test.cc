// What a session makes of counters that open and do not count.
#include <cerrno>

#include "metrics/self_test.h"
#include "tests/metrics/counter_session_fixture.h"

namespace metrics {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(CounterSessionTest, ACounterThatReadsAnImpossibleZeroIsSuspect) {
  system_.progress = [](const FakePerfSystem::Counter& counter, uint64_t ns) {
    const bool dead = counter.attributes.config == PERF_COUNT_HW_STALLED_CYCLES_FRONTEND;
    return PerfCount{dead ? 0 : ns, ns, ns};
  };
  const auto session = Open({"{cycles,stalled-cycles-frontend}"});
  session->Start();
  system_.Run(1000);
  session->Stop();
  const auto readings = session->Readings();
  EXPECT_EQ(readings[0].status, CounterStatus::kCounted);
  EXPECT_EQ(readings[1].status, CounterStatus::kSuspect);
  EXPECT_THAT(readings[1].cause, HasSubstr("read 0 where at least 1 was due"));
}

TEST_F(CounterSessionTest, FarTooFewInstructionsAreSuspect) {
  system_.progress = [](const FakePerfSystem::Counter&, uint64_t ns) {
    return PerfCount{100, ns, ns};
  };
  EXPECT_EQ(Measure("instructions").status, CounterStatus::kSuspect);
}

TEST_F(CounterSessionTest, EventsOfWhichTheLoopSaysNothingAreNotSuspect) {
  system_.progress = [](const FakePerfSystem::Counter&, uint64_t ns) {
    return PerfCount{0, ns, ns};
  };
  EXPECT_EQ(Measure("major-faults").status, CounterStatus::kCounted);
  EXPECT_EQ(Measure("r1a8").status, CounterStatus::kCounted);
  EXPECT_EQ(Measure("cpu-migrations").status, CounterStatus::kCounted);
}

TEST_F(CounterSessionTest, ACounterThatSharedThePmuIsNotJudged) {
  system_.progress = [](const FakePerfSystem::Counter&, uint64_t ns) {
    return PerfCount{0, ns, ns / 2};
  };
  EXPECT_EQ(Measure("instructions").status, CounterStatus::kCounted);
}

TEST_F(CounterSessionTest, ASuspectSoftwareCounterIsReplacedByTheKernelsAccounts) {
  system_.progress = [](const FakePerfSystem::Counter&, uint64_t ns) {
    return PerfCount{0, ns, ns};
  };
  const CounterReading reading = Measure("task-clock");
  EXPECT_EQ(reading.status, CounterStatus::kCounted);
  EXPECT_EQ(reading.source, "rusage");
}

TEST_F(CounterSessionTest, TestsEachGroupByItself) {
  const auto groups = ParseEvents(std::vector<std::string>{"{instructions,cycles},branches"});
  CounterSession::Open(*groups, system_);
  EXPECT_THAT(system_.calls, ElementsAre("disable 3", "disable 5", "enable 3", "self-test",
                                         "disable 3", "enable 5", "self-test", "disable 5"));
}

TEST_F(CounterSessionTest, WhatTheSelfTestCountedIsInNoWindow) {
  EXPECT_EQ(Measure("instructions", 5).value, 5);
}

}  // namespace
}  // namespace metrics
