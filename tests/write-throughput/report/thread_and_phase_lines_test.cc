#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/write-throughput/report/counter_figures.h"
#include "apps/write-throughput/report/machine_forms.h"
#include "apps/write-throughput/report/perf_block.h"
#include "apps/write-throughput/report/phase_lines.h"
#include "apps/write-throughput/report/thread_lines.h"
#include "tests/write-throughput/report/records.h"

namespace throughput {
namespace {

using metrics::CounterReading;
using metrics::ResultRecord;
using testing::HasSubstr;

TEST(ThreadLines, HaveTheThreadInFrontOfEachCounter) {
  ResultRecord run = ExampleRecord();
  run.seconds = 1;
  run.thread_counters = {{"load-0", {Counted("task-clock", 5e8), Counted("page-faults", 7)}},
                         {"burin-flush", {Counted("page-faults", 9)}}};
  EXPECT_EQ(ThreadLines(std::vector{run}, true), R"(
 Threads:
          load-0             500.00 msec task-clock                       #    0.500 CPUs utilized
          load-0                  7      page-faults                      #   14.000 /sec
     burin-flush                  9      page-faults
)");
}

TEST(ThreadLines, SayThatTheyAreFromTheKernelsAccounts) {
  ResultRecord run = ExampleRecord();
  run.thread_counters = {{"load-0", {Counted("page-faults", 7)}}};
  run.thread_counters[0].counters[0].source = "proc";
  EXPECT_THAT(ThreadLines(std::vector{run}, true),
              HasSubstr(" Threads, software counters from /proc:\n"));
}

TEST(ThreadLines, NameTheRunOfSeveralAndAreNoneWithoutThreads) {
  ResultRecord run = ExampleRecord();
  EXPECT_EQ(ThreadLines(std::vector{run, run}, true), "");
  run.repeat = 2;
  run.thread_counters = {{"load-0", {Counted("page-faults", 7)}}};
  EXPECT_THAT(ThreadLines(std::vector{ExampleRecord(), run}, true),
              HasSubstr(" Threads (run 2 of 2):\n"));
}

ResultRecord WithPhases(double seconds) {
  ResultRecord run = ExampleRecord();
  run.rows = 1000;
  run.phases = {{"insert", seconds, true, 104000, 98000}, {"background", 1e-6, false, 0, 0}};
  run.phases_note = "--phases: 4 readings";
  return run;
}

TEST(PhaseLines, AreATablePerRow) {
  EXPECT_EQ(PhaseLines(std::vector{WithPhases(0.001)}, true), R"(
              nsec      instructions            cycles  per row
          1,000.00            104.00             98.00  insert
              1.00     <not counted>     <not counted>  background
 --phases: 4 readings
)");
}

TEST(PhaseLines, AreMeansOverTheRowsOfAllRuns) {
  EXPECT_THAT(PhaseLines(std::vector{WithPhases(0.001), WithPhases(0.003)}, true),
              HasSubstr("          2,000.00            104.00             98.00  insert\n"));
}

TEST(PhaseLines, AreNoneWithoutPhases) {
  EXPECT_EQ(PhaseLines(std::vector{ExampleRecord()}, true), "");
}

CounterReading Simulated(const std::string& event, double value) {
  CounterReading reading = Counted(event, value);
  reading.source = "callgrind";
  reading.enabled_ns = reading.running_ns = 0;
  return reading;
}

std::vector<ResultRecord> SimulatedRun() {
  ResultRecord run = ExampleRecord();
  run.counters = {Counted("task-clock", 1e9), Simulated("instructions", 12000),
                  Simulated("branches", 1000), Simulated("branch-misses", 15)};
  return {run};
}

TEST(SimulatedFigures, AreMarkedAndHaveNoRateOfATimeThatWasNotTheirs) {
  const std::string block = PerfBlock(SimulatedRun(), ExampleArguments(), true);
  EXPECT_THAT(
      block,
      HasSubstr("            12,000      instructions                     # simulated (callgrind)\n"
                "             1,000      branches                         # simulated (callgrind)\n"
                "                15      branch-misses                    #    1.50% of all "
                "branches, simulated (callgrind)\n"));
}

TEST(SimulatedFigures, AreMarkedInTheMachineFormsToo) {
  EXPECT_THAT(PerfCsv(SimulatedRun(), {}),
              HasSubstr("12000,,instructions,0,100.00,,simulated (callgrind)\n"));
  EXPECT_THAT(PerfJson(SimulatedRun(), {}),
              HasSubstr("\"metric-unit\" : \"simulated (callgrind)\""));
}

}  // namespace
}  // namespace throughput
