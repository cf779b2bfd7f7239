// What an ordinary user gets, and what anybody gets on a machine without a PMU: the reason with its
// errno and the fix, and figures of the software events all the same.
#include <gmock/gmock.h>
#include <unistd.h>

#include "metrics/counter_selection.h"
#include "tests/pmu/counted_loop.h"
#include "tests/pmu/recorded_run.h"

namespace pmu {
namespace {

using metrics::CounterStatus;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr uint64_t kTurns = 1'000'000;

metrics::Selection Shown() {
  return metrics::SelectShown(CountLoop(metrics::DefaultEvents(), kTurns),
                              metrics::CounterMode::kAuto);
}

void ExpectSoftwareOnly(const metrics::Selection& selection) {
  auto shown = ByName(selection.readings);
  EXPECT_EQ(shown.size(), 4);
  for (const char* name : {"task-clock", "context-switches", "cpu-migrations", "page-faults"}) {
    EXPECT_EQ(shown[name].status, CounterStatus::kCounted) << name << ": " << shown[name].cause;
    EXPECT_EQ(shown[name].modifiers, "") << name;
  }
  EXPECT_GT(shown["task-clock"].value, 0);
}

TEST(Paranoid3, AUserCountsSoftwareAndIsToldWhy) {
  ASSERT_NE(getuid(), 0);
  const metrics::Selection selection = Shown();
  ExpectSoftwareOnly(selection);
  EXPECT_THAT(selection.note,
              AllOf(StartsWith("hardware counters: kernel.perf_event_paranoid is 3 (EACCES)"),
                    HasSubstr("sysctl kernel.perf_event_paranoid=1")));
}

TEST(Paranoid3, TheProgramSaysItOnce) {
  const RecordedRun run = RunLoad({"-i", "100"});
  EXPECT_THAT(run.summary, AllOf(HasSubstr("task-clock"), Not(HasSubstr("not supported"))));
  EXPECT_EQ(Occurrences(run.summary, "kernel.perf_event_paranoid is 3 (EACCES)"), 1);
}

TEST(Paranoid2, AUserCountsTheUsersPartExactly) {
  ASSERT_NE(getuid(), 0);
  CountLoop(Events("{instructions,cycles}"), 1);  // binds the functions of libraries
  const auto fewer = CountLoop(Events("{instructions,cycles}"), kTurns);
  const auto more = CountLoop(Events("{instructions,cycles}"), 2 * kTurns);
  EXPECT_EQ(more.at(0).modifiers, "u");
  EXPECT_EQ(more.at(0).value - fewer.at(0).value, kInstructionsPerTurn * kTurns);
  EXPECT_EQ(more.at(1).value, kCyclesPerInstruction * more.at(0).value);
  EXPECT_THAT(more.at(0).cause,
              HasSubstr("only user mode is counted: kernel.perf_event_paranoid is 2 (EACCES)"));
}

TEST(Paranoid2, KernelEventsAreRefusedWithTheReason) {
  const auto readings = CountLoop(Events("instructions:k"), kTurns);
  EXPECT_EQ(readings.at(0).status, CounterStatus::kNotSupported);
  EXPECT_THAT(readings.at(0).cause, HasSubstr("kernel.perf_event_paranoid is 2 (EACCES)"));
}

TEST(Paranoid2, TheProgramMarksTheUsersPart) {
  const RecordedRun run = RunLoad({"-i", "100"});
  EXPECT_THAT(run.summary, AllOf(HasSubstr("instructions:u "), HasSubstr("cycles:u ")));
  EXPECT_EQ(Occurrences(run.summary, "kernel.perf_event_paranoid is 2 (EACCES)"), 1);
}

TEST(WithoutPmu, SoftwareCountsAndTheReasonIsGiven) {
  const metrics::Selection selection = Shown();
  ExpectSoftwareOnly(selection);
  EXPECT_THAT(selection.note, StartsWith("hardware counters: this machine has no PMU (ENOENT)"));
}

TEST(WithoutPmu, TheProgramSaysItOnce) {
  const RecordedRun run = RunLoad({"-i", "100"});
  EXPECT_THAT(run.summary, AllOf(HasSubstr("task-clock"), Not(HasSubstr("not supported"))));
  EXPECT_EQ(Occurrences(run.summary, "this machine has no PMU (ENOENT)"), 1);
}

TEST(WithoutPmu, EventsAskedForByNameShowAsNotSupported) {
  const RecordedRun run = RunLoad({"-i", "100", "-e", "instructions,task-clock"});
  EXPECT_THAT(run.summary, testing::ContainsRegex("<not supported> +instructions"));
  EXPECT_EQ(Occurrences(run.summary, "this machine has no PMU (ENOENT)"), 1);
}

}  // namespace
}  // namespace pmu
