#include "metrics/counter_session.h"

#include <gmock/gmock.h>

#include <cerrno>
#include <string>
#include <vector>

#include "tests/metrics/counter_session_fixture.h"

namespace metrics {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(CounterSessionTest, CountsTheWindowOnly) {
  const auto session = Open({"instructions:u,task-clock"});
  system_.Run(500);
  session->Start();
  system_.Run(1000);
  session->Stop();
  system_.Run(300);
  const auto readings = session->Readings();
  ASSERT_EQ(readings.size(), 2);
  EXPECT_EQ(readings[0].event, "instructions");
  EXPECT_EQ(readings[0].modifiers, "u");
  EXPECT_EQ(readings[0].generic, "instructions");
  EXPECT_TRUE(readings[0].hardware);
  EXPECT_TRUE(readings[0].asked_by_name);
  EXPECT_EQ(readings[0].status, CounterStatus::kCounted);
  EXPECT_EQ(readings[0].value, 1000);
  EXPECT_EQ(readings[0].enabled_ns, 1000);
  EXPECT_EQ(readings[0].running_ns, 1000);
  EXPECT_EQ(readings[0].source, "perf");
  EXPECT_EQ(readings[0].cause, "");
  EXPECT_EQ(readings[1].value, 1000);
  EXPECT_FALSE(readings[1].hardware);
}

TEST_F(CounterSessionTest, EachWindowHasItsOwnCount) {
  const auto session = Open({"instructions"});
  for (const uint64_t ns : {700, 900}) {
    session->Start();
    system_.Run(ns);
    session->Stop();
    EXPECT_EQ(session->Readings().at(0).value, ns);
  }
}

TEST_F(CounterSessionTest, SwitchesTimeInsideTheEdgesOfTheWindowAndHardwareInsideOfThat) {
  const auto session = Open({"{instructions,cycles},task-clock,branches,page-faults"});
  const auto edge = [this] { system_.calls.emplace_back("edge"); };
  session->Start(edge);
  EXPECT_THAT(system_.calls, ElementsAre("enable 7", "edge", "enable 5", "enable 3", "enable 6"));
  system_.calls.clear();
  session->Stop(edge);
  EXPECT_THAT(system_.calls,
              ElementsAre("disable 6", "disable 3", "disable 5", "edge", "disable 7"));
}

TEST_F(CounterSessionTest, AccountsThatStandInAreThoseOfTheEdges) {
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.type == PERF_TYPE_SOFTWARE ? EACCES : 0;
  };
  const auto session = Open({"task-clock,instructions"});
  const auto work = [this] { system_.usage.cpu_ns += 100; };
  session->Start(work);
  system_.usage.cpu_ns += 7;
  session->Stop(work);
  EXPECT_EQ(session->Readings().at(0).value, 7);
}

TEST_F(CounterSessionTest, StopWithoutStartHasNothingToSay) {
  const auto session = Open({"task-clock"});
  session->Stop();
  EXPECT_EQ(session->Readings().at(0).status, CounterStatus::kNotCounted);
  EXPECT_EQ(session->Readings().at(0).value, 0);
}

TEST_F(CounterSessionTest, ASecondStopChangesNothing) {
  system_.refuse = [](const perf_event_attr&, int) { return EACCES; };
  const auto session = Open({"task-clock"});
  session->Start();
  system_.usage.cpu_ns += 500;
  session->Stop();
  system_.usage.cpu_ns += 300;
  session->Stop();
  EXPECT_EQ(session->Readings().at(0).value, 500);
}

TEST_F(CounterSessionTest, ClosesAllDescriptors) {
  Open({"{instructions,cycles},task-clock"});
  EXPECT_EQ(system_.OpenDescriptors(), 0);
}

TEST_F(CounterSessionTest, ScalesAMultiplexedValueInDouble) {
  system_.progress = [](const FakePerfSystem::Counter&, uint64_t ns) {
    return PerfCount{3'000'000'000'000'000 * (ns / 1000), ns * 4, ns * 3};
  };
  const CounterReading reading = Measure("instructions");
  EXPECT_EQ(reading.status, CounterStatus::kCounted);
  EXPECT_EQ(reading.value, 4e15) << "64-bit integers would overflow on the way";
  EXPECT_EQ(reading.enabled_ns, 4000);
  EXPECT_EQ(reading.running_ns, 3000);
}

TEST_F(CounterSessionTest, GivesScaledCountsAsWholeNumbers) {
  system_.progress = [](const FakePerfSystem::Counter&, uint64_t) { return PerfCount{100, 4, 3}; };
  EXPECT_EQ(Measure("instructions").value, 133);
}

TEST_F(CounterSessionTest, NeverOnThePmuIsNotCounted) {
  system_.progress = [](const FakePerfSystem::Counter&, uint64_t ns) {
    return PerfCount{0, ns, 0};
  };
  const CounterReading reading = Measure("instructions");
  EXPECT_EQ(reading.status, CounterStatus::kNotCounted);
  EXPECT_EQ(reading.value, 0);
  EXPECT_THAT(reading.cause, HasSubstr("never on the PMU"));
}

TEST_F(CounterSessionTest, APinnedEventWithoutAPlaceIsNotCounted) {
  system_.read_error = ENODATA;
  const CounterReading reading = Measure("instructions:D");
  EXPECT_EQ(reading.status, CounterStatus::kNotCounted);
  EXPECT_THAT(reading.cause, HasSubstr("pinned"));
}

TEST_F(CounterSessionTest, AFailedReadIsNotCounted) {
  system_.read_error = EIO;
  const CounterReading reading = Measure("instructions");
  EXPECT_EQ(reading.status, CounterStatus::kNotCounted);
  EXPECT_THAT(reading.cause, HasSubstr("EIO"));
}

TEST_F(CounterSessionTest, AMissingEventIsReportedInItsPlace) {
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.type == PERF_TYPE_HARDWARE && attributes.config == PERF_COUNT_HW_CPU_CYCLES
               ? ENOENT
               : 0;
  };
  const auto session = Open({"instructions,cycles,branches"});
  session->Start();
  system_.Run(10);
  session->Stop();
  const auto readings = session->Readings();
  ASSERT_EQ(readings.size(), 3);
  EXPECT_EQ(readings[1].event, "cycles");
  EXPECT_EQ(readings[1].status, CounterStatus::kNotSupported);
  EXPECT_THAT(readings[1].cause, HasSubstr("ENOENT"));
  EXPECT_EQ(readings[1].source, "");
  EXPECT_EQ(readings[2].value, 10);
}

TEST_F(CounterSessionTest, AddsTheKindsOfCoreWithoutCountingAnyTimeTwice) {
  system_.machine.core_pmus = {{"cpu_core", 4}, {"cpu_atom", 10}};
  // A quarter of the time on cpu_atom, the rest on cpu_core: each counts while it has the thread.
  system_.progress = [](const FakePerfSystem::Counter& counter, uint64_t ns) {
    const bool atom = counter.attributes.config >> 32 == 10;
    return PerfCount{atom ? 1000u : 9000u, ns, atom ? ns / 4 : ns / 4 * 3};
  };
  const CounterReading reading = Measure("instructions", 4000);
  EXPECT_EQ(reading.value, 10000);
  EXPECT_EQ(reading.enabled_ns, 4000);
  EXPECT_EQ(reading.running_ns, 4000);
}

TEST_F(CounterSessionTest, TakesRefusedSoftwareEventsFromTheKernelsAccounts) {
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.exclude_kernel ? 0 : EACCES;
  };
  system_.usage = {.cpu_ns = 5000, .minor_faults = 10, .major_faults = 1, .context_switches = 100};
  system_.migrations = Migrations{{1, 7}};
  const auto session = Open({"task-clock,page-faults,cs,cpu-migrations,major-faults"});
  session->Start();
  system_.now_ns += 2000;
  system_.usage = {.cpu_ns = 9000, .minor_faults = 13, .major_faults = 2, .context_switches = 150};
  system_.migrations = Migrations{{1, 9}, {2, 3}};
  session->Stop();
  const auto readings = session->Readings();
  const std::vector<std::pair<double, std::string>> expected = {
      {4000, "rusage"}, {4, "rusage"}, {50, "rusage"}, {5, "proc"}, {1, "rusage"}};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(readings[i].value, expected[i].first) << readings[i].event;
    EXPECT_EQ(readings[i].source, expected[i].second);
    EXPECT_EQ(readings[i].status, CounterStatus::kCounted);
    EXPECT_EQ(readings[i].modifiers, "");
    EXPECT_EQ(readings[i].enabled_ns, 2000);
    EXPECT_EQ(readings[i].running_ns, 2000);
  }
}

TEST_F(CounterSessionTest, MigrationsThatCanNoLongerBeReadAreNotCounted) {
  system_.refuse = [](const perf_event_attr&, int) { return EACCES; };
  system_.migrations = Migrations{{1, 7}};
  const auto session = Open({"cpu-migrations"});
  session->Start();
  system_.migrations.reset();
  session->Stop();
  EXPECT_EQ(session->Readings()[0].status, CounterStatus::kNotCounted);
}

}  // namespace
}  // namespace metrics
