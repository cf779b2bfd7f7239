// Counters of one thread, as root, on a PMU that counts exactly: six events at a time beside
// cycles.
#include <gmock/gmock.h>

#include "metrics/counter_selection.h"
#include "metrics/counter_session.h"
#include "metrics/process_scope.h"
#include "tests/pmu/counted_loop.h"

namespace pmu {
namespace {

using metrics::CounterReading;
using metrics::CounterStatus;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr uint64_t kTurns = 1'000'000;
constexpr double kPlaces = 6;  // for events other than cycles

auto Status(CounterStatus status) { return Field("status", &CounterReading::status, status); }
auto Cause(const std::string& part) {
  return Field("cause", &CounterReading::cause, HasSubstr(part));
}

double Share(const CounterReading& reading) {
  return static_cast<double>(reading.running_ns) / static_cast<double>(reading.enabled_ns);
}

TEST(Counters, DifferencesOfInstructionsAreExact) {
  const auto session = metrics::CounterSession::Open(Events("instructions:u"));
  std::vector<double> counts;
  for (const uint64_t turns : {uint64_t{1}, kTurns, kTurns, 3 * kTurns}) {
    session->Start();
    RunLoop(turns);
    session->Stop();
    counts.push_back(session->Readings().at(0).value);
  }
  EXPECT_EQ(counts[2] - counts[1], 0);
  EXPECT_EQ(counts[3] - counts[2], 2 * kInstructionsPerTurn * kTurns);
  EXPECT_NEAR(counts[2], kInstructionsPerTurn * kTurns, 200) << "what opens and closes the window";
}

TEST(Counters, CyclesAreInstructionsTimesTheClockStep) {
  for (const char* list : {"{instructions:u,cycles:u}", "{cycles,instructions}"}) {
    auto readings = ByName(CountLoop(Events(list), kTurns));
    EXPECT_EQ(readings["cycles"].value, kCyclesPerInstruction * readings["instructions"].value);
    EXPECT_GE(readings["instructions"].value, kInstructionsPerTurn * kTurns);
    EXPECT_LT(readings["instructions"].value, 1.1 * kInstructionsPerTurn * kTurns);
  }
}

TEST(Counters, KernelAndUserAddUpToBoth) {
  auto readings = CountLoop(Events("{instructions:u,instructions:k,instructions}"), kTurns);
  EXPECT_GT(readings.at(1).value, 0);
  EXPECT_EQ(readings.at(0).value + readings.at(1).value, readings.at(2).value);
}

TEST(Counters, ANativeNameCountsTheSameAsTheGenericOne) {
  auto readings =
      ByName(CountLoop(Events("{INST_RETIRED:u,arm_n1::CPU_CYCLES:u,instructions:u}"), kTurns));
  EXPECT_GT(readings["INST_RETIRED"].value, kInstructionsPerTurn * kTurns);
  EXPECT_EQ(readings["INST_RETIRED"].value, readings["instructions"].value);
  EXPECT_EQ(readings["arm_n1::CPU_CYCLES"].value,
            kCyclesPerInstruction * readings["INST_RETIRED"].value);
}

TEST(Counters, NothingOutsideTheWindowCounts) {
  const auto session = metrics::CounterSession::Open(Events("instructions:u,cycles:u"));
  RunLoop(kTurns);
  session->Start();
  session->Stop();
  RunLoop(kTurns);
  EXPECT_THAT(session->Readings(), Each(Field(&CounterReading::value, testing::Lt(1000))));
}

TEST(Counters, SamplesAddUpToTheWhole) {
  const auto session = metrics::CounterSession::Open(Events("{instructions,cycles}"));
  session->Start();
  double instructions = 0;
  double cycles = 0;
  const auto sample = [&] {
    const auto piece = session->Sample();
    instructions += piece.at(0).value;
    cycles += piece.at(1).value;
  };
  for (int i = 0; i < 10; ++i) {
    RunLoop(kTurns);
    sample();
  }
  session->Stop();
  sample();
  EXPECT_EQ(instructions, session->Readings().at(0).value);
  EXPECT_EQ(cycles, session->Readings().at(1).value);
  EXPECT_GT(instructions, 10 * kInstructionsPerTurn * kTurns);
}

class TakingTurns : public testing::TestWithParam<int> {};

TEST_P(TakingTurns, ScaledValuesComeWithinOnePerCent) {
  constexpr uint64_t kLong = 30'000'000;  // many of the periods after which events take turns
  const double due = kInstructionsPerTurn * kLong;
  double shares = 0;
  for (const CounterReading& reading :
       CountLoop(Events(Repeated("instructions:u", GetParam())), kLong)) {
    EXPECT_EQ(reading.status, CounterStatus::kCounted) << reading.cause;
    EXPECT_NEAR(reading.value, due, due / 100);
    EXPECT_LT(Share(reading), 0.95);
    shares += Share(reading);
  }
  EXPECT_NEAR(shares, kPlaces, 0.02 * kPlaces) << "every place was always taken";
}

INSTANTIATE_TEST_SUITE_P(Counters, TakingTurns, testing::Values(8, 12),
                         testing::PrintToStringParamName());

TEST(Counters, AsManyEventsAsThePmuHoldsNeedNoTurns) {
  for (const CounterReading& reading : CountLoop(Events(Repeated("instructions:u", 6)), kTurns)) {
    EXPECT_EQ(Share(reading), 1);
  }
}

TEST(Counters, AGroupOfSixFits) {
  const auto readings = CountLoop(Events("{" + Repeated("instructions:u", 6) + "}"), kTurns);
  EXPECT_THAT(readings, Each(AllOf(Status(CounterStatus::kCounted),
                                   Field(&CounterReading::value, readings.at(0).value))));
}

TEST(Counters, AGroupOfSevenIsRefusedWithTheReason) {
  const auto readings = CountLoop(Events("{" + Repeated("instructions:u", 7) + "}"), kTurns);
  EXPECT_THAT(readings, SizeIs(7));
  EXPECT_THAT(readings, Each(AllOf(Status(CounterStatus::kNotSupported),
                                   Cause("a group of 7 events does not fit the PMU (EINVAL)"))));
}

TEST(Counters, AGroupOfSevenForAWholeProcessIsRefusedToo) {
  auto scope = metrics::ProcessScope::Launch({"/bin/busybox", "true"},
                                             Events("{" + Repeated("instructions:u", 7) + "}"));
  ASSERT_TRUE(scope) << scope.error();
  const auto outcome = (*scope)->Wait();
  ASSERT_TRUE(outcome) << outcome.error();
  EXPECT_THAT(outcome->readings, Each(AllOf(Status(CounterStatus::kNotSupported),
                                            Cause("a group of 7 events does not fit"))));
}

TEST(Counters, AWeakGroupOfSevenTakesTurns) {
  constexpr uint64_t kLong = 10'000'000;
  const auto readings = CountLoop(Events("{" + Repeated("instructions:u", 7) + "}:W"), kLong);
  EXPECT_THAT(readings, SizeIs(7));
  EXPECT_THAT(readings, Each(Status(CounterStatus::kCounted)));
}

TEST(Counters, OfTheDefaultSetStallsAreSuspectAndBranchesMissing) {
  const auto selection = metrics::SelectShown(CountLoop(metrics::DefaultEvents(), kTurns),
                                              metrics::CounterMode::kAuto);
  auto shown = ByName(selection.readings);
  for (const char* name : {"task-clock", "instructions", "cycles"}) {
    EXPECT_THAT(shown[name], Status(CounterStatus::kCounted)) << name << ": " << shown[name].cause;
  }
  for (const char* name : {"stalled-cycles-frontend", "stalled-cycles-backend"}) {
    EXPECT_THAT(shown[name], AllOf(Status(CounterStatus::kSuspect), Cause("self-test read 0")));
  }
  for (const char* name : {"branches", "branch-misses"}) {
    EXPECT_THAT(shown[name], AllOf(Status(CounterStatus::kNotSupported), Cause("ENOENT")));
  }
  EXPECT_EQ(shown["instructions"].modifiers, "") << "root counts the kernel as well";
}

TEST(Counters, ListsWhatOpensAndNothingElse) {
  std::vector<std::string> names;
  for (const metrics::ListedEvent& event : metrics::ListEvents()) names.push_back(event.name);
  EXPECT_THAT(names, AllOf(Contains("instructions"), Contains("INST_RETIRED"),
                           Contains("page-faults"), Not(Contains("branches"))));
}

}  // namespace
}  // namespace pmu
