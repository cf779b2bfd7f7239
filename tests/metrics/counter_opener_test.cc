#include "metrics/counter_opener.h"

#include <cerrno>

#include "tests/metrics/counter_opener_fixture.h"

namespace metrics {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(CounterOpenerTest, OpensInheritedDisabledAndWithTimes) {
  const auto counters = Open("instructions", {.process = 7});
  ASSERT_THAT(counters, SizeIs(1));
  EXPECT_EQ(counters[0].status, CounterStatus::kCounted);
  EXPECT_EQ(counters[0].source, CounterSource::kPerf);
  const FakePerfSystem::Counter& opened = system_.counters.at(counters[0].descriptors.at(0));
  EXPECT_EQ(opened.process, 7);
  EXPECT_EQ(opened.attributes.size, sizeof(perf_event_attr));
  EXPECT_EQ(opened.attributes.inherit, 1);
  EXPECT_EQ(opened.attributes.disabled, 1);
  EXPECT_EQ(opened.attributes.enable_on_exec, 0);
  EXPECT_EQ(opened.attributes.read_format,
            PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
}

TEST_F(CounterOpenerTest, MembersOfAGroupFollowTheirLeader) {
  const auto counters = Open("{instructions,cycles}", {.enable_on_exec = true});
  const int leader = counters[0].descriptors.at(0);
  EXPECT_THAT(counters[0].leaders, ElementsAre(leader));
  EXPECT_THAT(counters[1].leaders, IsEmpty());
  EXPECT_EQ(system_.counters.at(counters[1].descriptors.at(0)).leader, leader);
  EXPECT_EQ(system_.counters.at(counters[1].descriptors.at(0)).attributes.disabled, 0);
  EXPECT_EQ(system_.counters.at(leader).attributes.enable_on_exec, 1);
  EXPECT_EQ(system_.counters.at(counters[1].descriptors.at(0)).attributes.enable_on_exec, 0);
}

// A driver that judges by the enabled events only would let any group pass.
TEST_F(CounterOpenerTest, AGroupIsOpenedEnabledAndThenSwitchedOff) {
  const auto counters = Open("{instructions,cycles}");
  const int leader = counters[0].descriptors.at(0);
  EXPECT_EQ(system_.counters.at(leader).attributes.disabled, 0);
  EXPECT_FALSE(system_.counters.at(leader).enabled);
}

TEST_F(CounterOpenerTest, AGroupForAnExecIsOpenedDisabled) {
  const auto counters = Open("{instructions,cycles}", {.enable_on_exec = true});
  EXPECT_EQ(system_.counters.at(counters[0].descriptors.at(0)).attributes.disabled, 1);
}

TEST_F(CounterOpenerTest, PinsTheLeaderOnly) {
  const auto counters = Open("{instructions,cycles:De}");
  EXPECT_EQ(system_.counters.at(counters[0].descriptors.at(0)).attributes.pinned, 1);
  EXPECT_EQ(system_.counters.at(counters[0].descriptors.at(0)).attributes.exclusive, 1);
  EXPECT_EQ(system_.counters.at(counters[1].descriptors.at(0)).attributes.pinned, 0);
  EXPECT_EQ(system_.counters.at(counters[1].descriptors.at(0)).attributes.exclusive, 0);
}

TEST_F(CounterOpenerTest, SoftwareEventsOfAGroupAreOpenedByThemselves) {
  const auto counters = Open("{task-clock,instructions,cycles}");
  EXPECT_THAT(counters[0].leaders, SizeIs(1));
  EXPECT_EQ(system_.counters.at(counters[2].descriptors.at(0)).leader,
            counters[1].descriptors.at(0));
}

TEST_F(CounterOpenerTest, EventsThatTheMachineLacksAreNotSupported) {
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return IsHardware(attributes) ? ENOENT : 0;
  };
  system_.machine.core_pmus.clear();
  for (const int error : {EINVAL, ENOSYS, ENOENT, EOPNOTSUPP, ENXIO}) {
    system_.refuse = [error](const perf_event_attr&, int) { return error; };
    const auto counters = Open("{instructions,cycles}");
    for (const OpenCounter& counter : counters) {
      EXPECT_EQ(counter.status, CounterStatus::kNotSupported);
      EXPECT_THAT(counter.cause, HasSubstr(ErrnoName(error)));
      EXPECT_THAT(counter.descriptors, IsEmpty());
    }
  }
  EXPECT_EQ(system_.OpenDescriptors(), 0);
}

TEST_F(CounterOpenerTest, ALeaderThatIsMissingLeavesTheRestOfTheGroup) {
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.config == PERF_COUNT_HW_CPU_CYCLES ? ENOENT : 0;
  };
  const auto counters = Open("{cycles,instructions,branches}");
  EXPECT_EQ(counters[0].status, CounterStatus::kNotSupported);
  EXPECT_EQ(counters[1].status, CounterStatus::kCounted);
  EXPECT_THAT(counters[1].leaders, SizeIs(1));
  EXPECT_EQ(system_.counters.at(counters[2].descriptors.at(0)).leader,
            counters[1].descriptors.at(0));
}

TEST_F(CounterOpenerTest, AMemberThatOpensNowhereIsMissingAlone) {
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.config == PERF_COUNT_HW_BUS_CYCLES ? EINVAL : 0;
  };
  const auto counters = Open("{cycles,bus-cycles,instructions}");
  EXPECT_EQ(counters[0].status, CounterStatus::kCounted);
  EXPECT_EQ(counters[1].status, CounterStatus::kNotSupported);
  EXPECT_EQ(counters[2].status, CounterStatus::kCounted);
  EXPECT_EQ(system_.OpenDescriptors(), 2);
}

TEST_F(CounterOpenerTest, AGroupThatDoesNotFitIsRefusedAsAWhole) {
  system_.pmu_size = 2;
  const auto counters = Open("{cycles,instructions,branches,branch-misses}");
  for (const OpenCounter& counter : counters) {
    EXPECT_EQ(counter.status, CounterStatus::kNotSupported);
    EXPECT_EQ(counter.source, CounterSource::kNone);
    EXPECT_THAT(counter.cause, HasSubstr("a group of 4 events does not fit the PMU (EINVAL)"));
  }
  EXPECT_EQ(system_.OpenDescriptors(), 0);
}

TEST_F(CounterOpenerTest, AWeakGroupThatDoesNotFitIsTakenApart) {
  system_.pmu_size = 2;
  const auto counters = Open("{cycles,instructions,branches}:W");
  for (const OpenCounter& counter : counters) {
    EXPECT_EQ(counter.status, CounterStatus::kCounted);
    EXPECT_THAT(counter.cause, IsEmpty());
    EXPECT_EQ(counter.leaders, counter.descriptors);
  }
  EXPECT_EQ(system_.OpenDescriptors(), 3);
}

TEST_F(CounterOpenerTest, CountsTheUsersPartWhereTheKernelsIsRefused) {
  for (const int error : {EACCES, EPERM}) {
    system_.machine.paranoid = 2;
    system_.refuse = [error](const perf_event_attr& attributes, int) {
      return attributes.exclude_kernel ? 0 : error;
    };
    const auto counters = Open("{instructions,cycles}");
    for (const OpenCounter& counter : counters) {
      EXPECT_EQ(counter.status, CounterStatus::kCounted);
      EXPECT_EQ(counter.modifiers, "u");
      EXPECT_THAT(counter.cause, AllOf(HasSubstr("only user mode"), HasSubstr("paranoid is 2"),
                                       HasSubstr(ErrnoName(error))));
      const auto& opened = system_.counters.at(counter.descriptors.at(0)).attributes;
      EXPECT_TRUE(opened.exclude_kernel && opened.exclude_hv && !opened.exclude_user);
    }
  }
}

TEST_F(CounterOpenerTest, NeverCountsTheUsersPartInPlaceOfTheKernels) {
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.exclude_kernel ? 0 : EACCES;
  };
  const auto counters = Open("instructions:k");
  EXPECT_EQ(counters[0].status, CounterStatus::kNotSupported);
  EXPECT_EQ(counters[0].modifiers, "k");
  EXPECT_EQ(system_.OpenDescriptors(), 0);
}

TEST_F(CounterOpenerTest, SaysThatThereIsNoPmuEvenWherePrivilegesAreRefusedFirst) {
  system_.machine.core_pmus.clear();
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.exclude_kernel ? ENOENT : EACCES;
  };
  EXPECT_THAT(Open("instructions")[0].cause, HasSubstr("no PMU (ENOENT)"));
}

TEST_F(CounterOpenerTest, TakesSoftwareEventsFromTheKernelsAccountsRatherThanInPart) {
  system_.machine.paranoid = 2;
  system_.migrations = Migrations{{1, 5}};
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.exclude_kernel ? 0 : EACCES;
  };
  for (const char* name : {"task-clock", "cpu-clock", "page-faults", "minor-faults", "major-faults",
                           "context-switches", "cs"}) {
    const auto counter = Open(name)[0];
    EXPECT_EQ(counter.source, CounterSource::kUsage) << name;
    EXPECT_EQ(counter.status, CounterStatus::kCounted) << name;
    EXPECT_EQ(counter.modifiers, "") << name;
    EXPECT_EQ(counter.cause, "") << name;
  }
  EXPECT_EQ(Open("cpu-migrations")[0].source, CounterSource::kMigrations);
  EXPECT_EQ(system_.OpenDescriptors(), 0);
}

TEST_F(CounterOpenerTest, SoftwareEventsAskedForInPartStayInPart) {
  const auto counter = Open("page-faults:u")[0];
  EXPECT_EQ(counter.source, CounterSource::kPerf);
  EXPECT_EQ(counter.modifiers, "u");
}

TEST_F(CounterOpenerTest, MigrationsWithoutPerfOrProcAreNotSupported) {
  system_.machine.paranoid = 2;
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.exclude_kernel ? 0 : EACCES;
  };
  const auto counter = Open("cpu-migrations")[0];
  EXPECT_EQ(counter.status, CounterStatus::kNotSupported);
  EXPECT_EQ(counter.modifiers, "");
  EXPECT_THAT(counter.cause, HasSubstr("paranoid is 2"));
  EXPECT_EQ(system_.OpenDescriptors(), 0);
}

TEST_F(CounterOpenerTest, OtherSoftwareEventsCountTheUsersPart) {
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.exclude_kernel ? 0 : EACCES;
  };
  const auto counter = Open("alignment-faults")[0];
  EXPECT_EQ(counter.status, CounterStatus::kCounted);
  EXPECT_EQ(counter.modifiers, "u");
}

TEST_F(CounterOpenerTest, WithoutFallbackSwitchesAreNotSupportedRatherThanZero) {
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.exclude_kernel ? 0 : EACCES;
  };
  const auto counter = Open("context-switches", {.usage_fallback = false})[0];
  EXPECT_EQ(counter.status, CounterStatus::kNotSupported);
}

TEST_F(CounterOpenerTest, SoftwareEventsSurviveAKernelWithoutPerf) {
  system_.refuse = [](const perf_event_attr&, int) { return ENOSYS; };
  EXPECT_EQ(Open("task-clock")[0].source, CounterSource::kUsage);
  EXPECT_EQ(Open("page-faults")[0].source, CounterSource::kUsage);
}

TEST_F(CounterOpenerTest, EventsWithoutEncodingSayWhy) {
  EventGroup group;
  group.events.resize(2);
  group.events[0].name = group.events[0].generic = "task-clock";
  group.events[1].name = group.events[1].generic = "cycles";
  group.events[1].hardware = true;
  for (Event& event : group.events) event.cause = "libpfm4 did not start";
  const auto counters = CounterOpener({}, system_).Open(group);
  EXPECT_EQ(counters[0].source, CounterSource::kUsage);
  EXPECT_EQ(counters[1].status, CounterStatus::kNotSupported);
  EXPECT_EQ(counters[1].cause, "libpfm4 did not start");
}

TEST_F(CounterOpenerTest, LeavesHalfOfFewDescriptorsToTheProgram) {
  system_.machine.descriptor_limit = 8;
  const auto counters = Open("{instructions,cycles}");
  EXPECT_EQ(counters[0].status, CounterStatus::kCounted) << "descriptor 3";
  EXPECT_EQ(counters[1].status, CounterStatus::kNotSupported) << "descriptor 4 of 8";
  EXPECT_THAT(counters[1].cause, AllOf(HasSubstr("EMFILE"), HasSubstr("limit is 8")));
  EXPECT_EQ(system_.OpenDescriptors(), 1);
}

}  // namespace
}  // namespace metrics
