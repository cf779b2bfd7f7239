#include "metrics/thread_session.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cerrno>

#include "metrics/split_counter.h"
#include "tests/metrics/fake_perf_system.h"

namespace metrics {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::SizeIs;

ThreadUsage Usage(const std::string& name, uint64_t cpu_ns, uint64_t switches = 0) {
  ThreadUsage thread{name, {}, 7};
  thread.usage.cpu_ns = cpu_ns;
  thread.usage.context_switches = switches;
  return thread;
}

class ThreadSessionTest : public testing::Test {
 protected:
  ThreadSessionTest() { system_.threads = {{11, Usage("load-0", 100)}, {12, Usage("old", 500)}}; }

  // The rows of a window of `ns`, at the end of which the threads are `after`.
  std::vector<ThreadReadings> Measure(const std::string& list, uint64_t ns,
                                      const std::map<int, ThreadUsage>& after) {
    ThreadSession session(*ParseEvents(std::vector<std::string>{list}), system_);
    session.Open();
    system_.Run(50);
    session.EnableFirst();
    session.EnableLast();
    system_.Run(ns);
    session.DisableFirst();
    session.DisableLast();
    system_.Run(70);
    system_.threads = after;
    session.Read();
    return session.Readings();
  }

  FakePerfSystem system_;
};

TEST_F(ThreadSessionTest, CountsEachThreadByItselfAndNothingItMakes) {
  ThreadSession session(*ParseEvents(std::vector<std::string>{"instructions"}), system_);
  session.Open();
  std::vector<pid_t> counted;
  for (const auto& [descriptor, counter] : system_.counters) {
    if (counter.process == 0) continue;  // the self-test's
    counted.push_back(counter.process);
    EXPECT_FALSE(counter.attributes.inherit);
    EXPECT_FALSE(counter.enabled);
  }
  EXPECT_THAT(counted, ElementsAre(11, 12));
}

TEST_F(ThreadSessionTest, CountsTheWindowOnlyUnderTheNamesOfItsEnd) {
  const auto rows = Measure("instructions,task-clock", 1000,
                            {{11, Usage("load-0", 900)}, {12, Usage("renamed", 500)}});
  ASSERT_THAT(rows, ElementsAre(Field(&ThreadReadings::name, "load-0"),
                                Field(&ThreadReadings::name, "renamed")));
  for (const ThreadReadings& row : rows) {
    ASSERT_THAT(row.counters, SizeIs(2));
    for (const CounterReading& reading : row.counters) {
      EXPECT_EQ(reading.value, 1000) << "perf's, though the accounts have others";
      EXPECT_EQ(reading.source, "perf");
    }
  }
}

TEST_F(ThreadSessionTest, AThreadThatEndsKeepsItsNameAndItsCounts) {
  const auto rows = Measure("task-clock", 1000, {{11, Usage("load-0", 900)}});
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[1].name, "old");
  EXPECT_EQ(rows[1].counters[0].value, 1000);
}

TEST_F(ThreadSessionTest, AThreadThatBeginsLaterHasTheAccountsOnly) {
  const auto rows = Measure("instructions,task-clock,context-switches,cpu-migrations", 1000,
                            {{11, Usage("load-0", 900)}, {13, Usage("late", 300, 4)}});
  ASSERT_THAT(rows, SizeIs(3));
  const std::vector<CounterReading>& late = rows[2].counters;
  EXPECT_EQ(rows[2].name, "late");
  EXPECT_EQ(late[0].status, CounterStatus::kNotCounted);
  EXPECT_THAT(late[0].cause, HasSubstr("began within the window"));
  EXPECT_EQ(late[1].value, 300);
  EXPECT_EQ(late[1].source, "proc");
  EXPECT_EQ(late[2].value, 4);
  EXPECT_EQ(late[3].value, 7);
}

TEST_F(ThreadSessionTest, AnEventThatNoThreadHasIsNotSupportedOnALateOneToo) {
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.type == PERF_TYPE_HARDWARE ? ENOENT : 0;
  };
  const auto rows = Measure("instructions", 1000, {{13, Usage("late", 300)}});
  for (const ThreadReadings& row : rows) {
    EXPECT_EQ(row.counters[0].status, CounterStatus::kNotSupported) << row.name;
  }
}

TEST_F(ThreadSessionTest, WherePerfIsClosedTheAccountsStandIn) {
  system_.refuse = [](const perf_event_attr&, int) { return EACCES; };
  const auto rows =
      Measure("task-clock", 1000, {{11, Usage("load-0", 900)}, {12, Usage("old", 501)}});
  EXPECT_EQ(rows[0].counters[0].value, 800);
  EXPECT_EQ(rows[1].counters[0].value, 1);
  EXPECT_EQ(rows[0].counters[0].source, "proc");
  EXPECT_EQ(rows[0].counters[0].status, CounterStatus::kCounted);
}

TEST_F(ThreadSessionTest, WhatPerfCountsOfTheUsersPartIsReplacedByTheWhole) {
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.exclude_kernel ? 0 : EACCES;
  };
  const auto rows =
      Measure("task-clock", 1000, {{11, Usage("load-0", 900)}, {12, Usage("old", 501)}});
  EXPECT_EQ(rows[0].counters[0].value, 800);
  EXPECT_EQ(rows[0].counters[0].modifiers, "");
}

TEST_F(ThreadSessionTest, TooFewDescriptorsLeaveTheAccounts) {
  system_.machine.descriptor_limit = 4;
  const auto rows = Measure("instructions,task-clock", 1000,
                            {{11, Usage("load-0", 900)}, {12, Usage("old", 501)}});
  EXPECT_THAT(rows[1].counters[0].cause, HasSubstr("EMFILE"));
  EXPECT_EQ(rows[1].counters[1].value, 1);
}

TEST_F(ThreadSessionTest, WhatTheCallerDoesAtTheEndsOfTheWindowIsNotInItsRow) {
  system_.refuse = [](const perf_event_attr&, int) { return EACCES; };
  ThreadSession session(*ParseEvents(std::vector<std::string>{"task-clock,cs"}), system_);
  session.Open();
  system_.own_thread = {11, Usage("", 400, 2).usage};  // 300 of them while it opened
  session.EnableLast();
  system_.own_thread = {12, Usage("", 530, 1).usage};
  session.DisableFirst();
  system_.threads = {{11, Usage("load-0", 450, 3)}, {12, Usage("load-1", 990, 9)}};
  session.Read();
  const auto rows = session.Readings();
  EXPECT_EQ(rows[0].counters[0].value, 50);
  EXPECT_EQ(rows[0].counters[1].value, 1);
  EXPECT_EQ(rows[1].counters[0].value, 30);
  EXPECT_EQ(rows[1].counters[1].value, 1);
}

TEST_F(ThreadSessionTest, TheFirstThreadIsCalledMain) {
  system_.threads = {{getpid(), Usage("program", 1)}};
  EXPECT_EQ(Measure("task-clock", 10, system_.threads).at(0).name, "main");
}

TEST_F(ThreadSessionTest, WindowsDoNotKeepTheDescriptorsOfEarlierOnes) {
  ThreadSession session(*ParseEvents(std::vector<std::string>{"task-clock"}), system_);
  session.Open();
  const size_t open = system_.OpenDescriptors();
  session.Open();
  EXPECT_EQ(system_.OpenDescriptors(), open);
}

TEST(SplitCounter, ReadsInstructionsCyclesAndTime) {
  FakePerfSystem system;
  {
    SplitCounter counter(system);
    ASSERT_TRUE(counter.counts_hardware());
    const SplitReading before = counter.Read();
    system.Run(500);
    const SplitReading after = counter.Read();
    EXPECT_EQ(after.instructions - before.instructions, 500);
    EXPECT_EQ(after.cycles - before.cycles, 500);
    EXPECT_EQ(after.monotonic_ns - before.monotonic_ns, 500);
    EXPECT_EQ(counter.Scale(), 1);
  }
  EXPECT_EQ(system.OpenDescriptors(), 0);
}

TEST(SplitCounter, WithoutAPmuReadsTimeAndSaysWhy) {
  FakePerfSystem system;
  system.machine.core_pmus.clear();
  system.refuse = [](const perf_event_attr&, int) { return ENOENT; };
  SplitCounter counter(system);
  EXPECT_FALSE(counter.counts_hardware());
  EXPECT_THAT(counter.cause(), HasSubstr("no PMU"));
  const uint64_t before = counter.Read().monotonic_ns;
  system.Run(5);
  EXPECT_EQ(counter.Read().monotonic_ns, before + 5);
}

TEST(SplitCounter, TellsHowMuchMultiplexingHides) {
  FakePerfSystem system;
  system.progress = [](const FakePerfSystem::Counter&, uint64_t ns) {
    return PerfCount{ns, ns, ns / 4};
  };
  SplitCounter counter(system);
  system.Run(400);
  EXPECT_EQ(counter.Scale(), 4);
}

TEST(SplitCounter, NamesTheModifiersThatItWasLeft) {
  FakePerfSystem system;
  system.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.exclude_kernel ? 0 : EACCES;
  };
  SplitCounter counter(system);
  EXPECT_TRUE(counter.counts_hardware());
  EXPECT_EQ(counter.modifiers(), "u");
  EXPECT_THAT(counter.cause(), HasSubstr("only user mode"));
}

}  // namespace
}  // namespace metrics
