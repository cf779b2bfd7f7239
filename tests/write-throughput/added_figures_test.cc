// What --phases, --per-thread, --counters callgrind and --doctor make of their figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/write-throughput/doctor.h"
#include "apps/write-throughput/harness_cost.h"
#include "apps/write-throughput/phase_figures.h"
#include "apps/write-throughput/simulated_run.h"
#include "apps/write-throughput/thread_rows.h"

namespace throughput {
namespace {

using metrics::CounterReading;
using metrics::ResultRecord;
using testing::HasSubstr;
using testing::SizeIs;

CounterReading Counted(const std::string& event, double value, const std::string& modifiers = "") {
  CounterReading reading;
  reading.event = reading.generic = event;
  reading.modifiers = modifiers;
  reading.value = value;
  reading.source = "perf";
  return reading;
}

ResultRecord Record(const std::string& modifiers = "") {
  ResultRecord record;
  record.user_seconds = 3;
  record.system_seconds = 1;
  record.counters = {Counted("instructions", 1000, modifiers), Counted("cycles", 2000, modifiers)};
  return record;
}

PhaseSplit Split() {
  PhaseSplit split;
  split.parts = {{{1e9, 10, 100}, {2e9, 20, 200}, {3e9, 30, 300}, {4e9, 40, 400}}};
  split.cpu_ns = 1.5e9;
  split.readings = 1'000'000;
  split.reading_ns = 100;
  split.reading_instructions = 50;
  split.counts_hardware = true;
  return split;
}

TEST(PhaseFigures, AddUpOverTheThreadsAndLeaveTheRestToTheBackground) {
  ResultRecord record = Record();
  record.rows = 1'000'000;
  AddPhases(std::vector{Split(), Split()}, record);
  ASSERT_THAT(record.phases, SizeIs(5));
  EXPECT_EQ(record.phases[2].phase, "insert");
  EXPECT_EQ(record.phases[2].seconds, 6);
  EXPECT_EQ(record.phases[2].instructions, 60);
  EXPECT_EQ(record.phases[3].cycles, 800);
  EXPECT_EQ(record.phases[4].phase, "background");
  EXPECT_TRUE(record.phases[4].counted);
  EXPECT_EQ(record.phases[4].seconds, 1) << "CPU time: 4 less twice 1.5";
  EXPECT_EQ(record.phases[4].instructions, 800);
  EXPECT_EQ(record.phases[4].cycles, 0);
  EXPECT_EQ(record.phase_overhead_percent, 1);
  EXPECT_THAT(record.phases_note,
              HasSubstr("2000000 readings of 100 ns took 1.00 % of the load threads' "
                        "time, and 100.0 of the instructions per row"));
}

TEST(PhaseFigures, NeverCompareCountsOfDifferentModifiers) {
  ResultRecord record = Record("u");
  AddPhases(std::vector{Split()}, record);
  EXPECT_TRUE(record.phases[0].counted);
  EXPECT_FALSE(record.phases[4].counted);
}

TEST(PhaseFigures, WithoutHardwareHaveTimesAndTheReason) {
  ResultRecord record = Record();
  PhaseSplit split = Split();
  split.counts_hardware = false;
  split.cause = "no PMU";
  AddPhases(std::vector{split}, record);
  for (const metrics::PhaseFigures& phase : record.phases) {
    EXPECT_FALSE(phase.counted) << phase.phase;
    EXPECT_GT(phase.seconds, 0) << phase.phase;
  }
  EXPECT_THAT(record.phases_note, HasSubstr("no PMU"));
  record.counters_note = "hardware counters: no PMU";
  AddPhases(std::vector{split}, record);
  EXPECT_THAT(record.phases_note, testing::Not(HasSubstr("no PMU"))) << "it is said already";
}

TEST(PhaseFigures, AreNoneWithoutSplits) {
  ResultRecord record = Record();
  AddPhases({}, record);
  EXPECT_TRUE(record.phases.empty());
  EXPECT_EQ(record.phases_note, "");
}

TEST(ThreadRows, HaveOneMoreForThreadsThatBeganAndEndedInTheWindow) {
  ResultRecord record;
  record.counters = {Counted("task-clock", 100e6)};
  AddThreadRows({{"load-0", {Counted("task-clock", 60e6)}}}, metrics::CounterMode::kAuto, record);
  ASSERT_THAT(record.thread_counters, SizeIs(2));
  EXPECT_EQ(record.thread_counters[1].name, "(ended)");
  EXPECT_EQ(record.thread_counters[1].counters[0].value, 40e6);
}

TEST(ThreadRows, DoNotTakeTheEdgesOfTheWindowForAThread) {
  ResultRecord record;
  record.counters = {Counted("task-clock", 100e6)};
  AddThreadRows({{"load-0", {Counted("task-clock", 98e6)}}}, metrics::CounterMode::kAuto, record);
  EXPECT_THAT(record.thread_counters, SizeIs(1));
}

CounterReading Account(double value) {
  CounterReading reading = Counted("task-clock", value);
  reading.source = "proc";
  return reading;
}

TEST(ThreadRows, AreNeverMoreThanTheProcessTogether) {
  ResultRecord record;
  record.counters = {Account(100e6)};
  AddThreadRows({{"burin-flush", {Account(3e6)}}, {"load-0", {Account(102e6)}}},
                metrics::CounterMode::kAuto, record);
  ASSERT_THAT(record.thread_counters, SizeIs(2));
  EXPECT_EQ(record.thread_counters[0].counters[0].value, 100e6) << "load threads give last";
  EXPECT_EQ(record.thread_counters[1].counters[0].value, 0);
}

TEST(ThreadRows, OfPerfAreLeftAsTheyAre) {
  ResultRecord record;
  record.counters = {Counted("task-clock", 100e6)};
  AddThreadRows({{"load-0", {Counted("task-clock", 102e6)}}}, metrics::CounterMode::kAuto, record);
  EXPECT_EQ(record.thread_counters[0].counters[0].value, 102e6);
}

TEST(ThreadRows, StandInTheOrderOfTheLoadThreadsThenByName) {
  ResultRecord record;
  AddThreadRows(
      {{"main", {}}, {"load-10", {}}, {"burin-flush", {}}, {"load-9", {}}, {"load-0", {}}},
      metrics::CounterMode::kAuto, record);
  std::vector<std::string> names;
  for (const auto& thread : record.thread_counters) names.push_back(thread.name);
  EXPECT_THAT(names, testing::ElementsAre("load-0", "load-9", "load-10", "burin-flush", "main"));
}

TEST(SimulatedOptions, BoundTheRunAndLeaveOutWhatIsMeasured) {
  const Options options = *ParseOptions({"prog", "-d", "60", "-b", "1", "--verify", "--keep",
                                         "--interval", "100", "--per-thread", "--phases"});
  Cell cell;
  cell.threads = 4;
  cell.batch_size = 1;
  const Options bounded = SimulatedOptions(options, cell);
  EXPECT_EQ(bounded.iterations, 500) << "2,000 transactions of 4 threads";
  EXPECT_FALSE(bounded.duration);
  EXPECT_FALSE(bounded.interval);
  EXPECT_FALSE(bounded.verify || bounded.keep || bounded.per_thread || bounded.phases);
  EXPECT_TRUE(bounded.events.empty());
  EXPECT_EQ(bounded.database, options.database + ".callgrind");
  cell.batch_size = 10'000;
  EXPECT_EQ(SimulatedOptions(options, cell).iterations, 5) << "200,000 rows of 4 threads";
  cell.batch_size = 1'000'000;
  EXPECT_EQ(SimulatedOptions(options, cell).iterations, 1) << "never none";
}

TEST(SimulatedOptions, LeaveAShortRunAsItIs) {
  EXPECT_EQ(SimulatedOptions(*ParseOptions({"prog", "-i", "7"}), Cell()).iterations, 7);
}

TEST(SimulatedCounters, AreScaledToTheRowsOfTheFirstRun) {
  ResultRecord record = Record();
  record.rows = 1000;
  record.counters_note = "first";
  AddSimulatedCounters({{Counted("branches", 33)}, 300, 3, false}, record);
  EXPECT_EQ(record.counters.back().value, 110);
  EXPECT_THAT(record.counters_note, testing::StartsWith("first; simulated by callgrind"));
  EXPECT_THAT(record.counters_note, HasSubstr("3 transactions, user mode only, scaled"));
}

TEST(SimulatedCounters, OfTheWholeRunAreNot) {
  ResultRecord record = Record();
  record.rows = 300;
  AddSimulatedCounters({{Counted("branches", 33)}, 300, 3, false}, record);
  EXPECT_EQ(record.counters.back().value, 33);
  EXPECT_THAT(record.counters_note, testing::Not(HasSubstr("scaled")));
}

TEST(HarnessCost, GrowsWithTheBatch) {
  const Values values = Values::Plain();
  LoadPlan plan;
  plan.layout = {1, 100, 10};
  const double small = HarnessNsPerTransaction(plan, values);
  plan.layout.batch_size = 100'000;
  EXPECT_GT(small, 0);
  EXPECT_GT(HarnessNsPerTransaction(plan, values), small);
  plan.pipelined = true;
  plan.in_flight = 8;
  EXPECT_GT(HarnessNsPerTransaction(plan, values), small);
}

TEST(Diagnosis, HasALineForEachFindingAndOneForItsFix) {
  const std::vector<metrics::Finding> findings = {
      {metrics::Verdict::kOk, "SMT", "off", ""},
      {metrics::Verdict::kWarn, "turbo", "on", "switch it off"}};
  const Diagnosis diagnosis = DiagnosisOf(findings);
  EXPECT_TRUE(diagnosis.can_measure);
  EXPECT_EQ(diagnosis.text,
            "ok    SMT                      off\n"
            "warn  turbo                    on\n"
            "                          fix: switch it off\n");
}

TEST(Diagnosis, KnowsWhenNothingCanBeMeasured) {
  const std::vector<metrics::Finding> findings = {{metrics::Verdict::kFix, "sync", "fails", "x"}};
  EXPECT_FALSE(DiagnosisOf(findings).can_measure);
}

}  // namespace
}  // namespace throughput
