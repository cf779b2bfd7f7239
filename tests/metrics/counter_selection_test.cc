#include "metrics/counter_selection.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

namespace metrics {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

CounterReading Software(const std::string& event) {
  CounterReading reading;
  reading.event = reading.generic = event;
  reading.source = "perf";
  return reading;
}

CounterReading Hardware(const std::string& event) {
  CounterReading reading = Software(event);
  reading.hardware = true;
  return reading;
}

CounterReading Missing(CounterReading reading, const std::string& cause) {
  reading.status = CounterStatus::kNotSupported;
  reading.cause = cause;
  return reading;
}

CounterReading ByName(CounterReading reading) {
  reading.asked_by_name = true;
  return reading;
}

std::vector<std::string> Shown(const Selection& selection) {
  std::vector<std::string> names;
  for (const CounterReading& reading : selection.readings) names.push_back(reading.event);
  return names;
}

std::vector<CounterReading> WithoutPmu() {
  return {Software("task-clock"), Software("page-faults"),
          Missing(Hardware("instructions"), "this machine has no PMU (ENOENT)"),
          Missing(Hardware("cycles"), "this machine has no PMU (ENOENT)"),
          Missing(Hardware("stalled-cycles-backend"), "this machine has no PMU (ENOENT)")};
}

TEST(SelectShown, WithoutHardwareTheDefaultSetLeavesAllOfItOutAndSaysWhy) {
  const Selection selection = SelectShown(WithoutPmu(), CounterMode::kAuto);
  EXPECT_THAT(Shown(selection), ElementsAre("task-clock", "page-faults"));
  EXPECT_EQ(selection.note, "hardware counters: this machine has no PMU (ENOENT)");
}

TEST(SelectShown, WhereSomeHardwareOpenedOnlyMissingStallsAreLeftOut) {
  const Selection selection = SelectShown(
      {Hardware("instructions"), Hardware("cycles"), Hardware("stalled-cycles-frontend"),
       Missing(Hardware("stalled-cycles-backend"), "not counted here (ENOENT)"),
       Missing(Hardware("branches"), "not counted here (ENOENT)")},
      CounterMode::kAuto);
  EXPECT_THAT(Shown(selection),
              ElementsAre("instructions", "cycles", "stalled-cycles-frontend", "branches"));
  EXPECT_EQ(selection.note, "branches: not counted here (ENOENT)");
}

TEST(SelectShown, EventsAskedForByNameAlwaysShow) {
  std::vector<CounterReading> readings = WithoutPmu();
  std::ranges::transform(readings, readings.begin(), ByName);
  EXPECT_EQ(SelectShown(readings, CounterMode::kAuto).readings.size(), 5);
  readings.push_back(ByName(Hardware("branches")));
  EXPECT_EQ(SelectShown(readings, CounterMode::kAuto).readings.size(), 6);
}

TEST(SelectShown, PerfModeShowsAll) {
  const Selection selection = SelectShown(WithoutPmu(), CounterMode::kPerf);
  EXPECT_EQ(selection.readings.size(), 5);
  EXPECT_EQ(selection.note, "hardware counters: this machine has no PMU (ENOENT)");
}

TEST(SelectShown, NoneShowsNone) {
  const Selection selection = SelectShown(WithoutPmu(), CounterMode::kNone);
  EXPECT_THAT(selection.readings, IsEmpty());
  EXPECT_EQ(selection.note, "");
}

TEST(SelectShown, SuspectAndUnscheduledHardwareHasOpened) {
  CounterReading suspect = Hardware("cycles");
  suspect.status = CounterStatus::kSuspect;
  suspect.cause = "it opens, but reads 0";
  const Selection selection =
      SelectShown({suspect, Missing(Hardware("branches"), "absent")}, CounterMode::kAuto);
  EXPECT_THAT(Shown(selection), ElementsAre("cycles", "branches"));
  EXPECT_EQ(selection.note, "cycles: it opens, but reads 0; branches: absent");
}

TEST(SelectShown, SaysOnceThatOnlyTheUsersPartIsCounted) {
  CounterReading instructions = Hardware("instructions");
  CounterReading cycles = Hardware("cycles");
  instructions.modifiers = cycles.modifiers = "u";
  instructions.cause = cycles.cause = "only user mode is counted";
  const Selection selection =
      SelectShown({Software("task-clock"), instructions, cycles}, CounterMode::kAuto);
  EXPECT_EQ(selection.readings.size(), 3);
  EXPECT_EQ(selection.note, "hardware counters: only user mode is counted");
}

TEST(SelectShown, NamesEventsWithTheirModifiersAndOnce) {
  CounterReading kernel = Missing(ByName(Software("cs")), "refused");
  kernel.modifiers = "k";
  const Selection selection =
      SelectShown({kernel, kernel, Missing(ByName(Software("cs")), "refused")}, CounterMode::kAuto);
  EXPECT_EQ(selection.note, "cs:k, cs: refused");
}

TEST(SelectShown, MissingSoftwareIsShownAndExplained) {
  const Selection selection =
      SelectShown({Software("task-clock"), Missing(Software("cpu-migrations"), "refused (EACCES)")},
                  CounterMode::kAuto);
  EXPECT_THAT(Shown(selection), ElementsAre("task-clock", "cpu-migrations"));
  EXPECT_EQ(selection.note, "cpu-migrations: refused (EACCES)");
}

TEST(SelectShown, HasNothingToSayWhereAllIsWell) {
  EXPECT_EQ(SelectShown({Software("task-clock"), Hardware("cycles")}, CounterMode::kAuto).note, "");
}

}  // namespace
}  // namespace metrics
