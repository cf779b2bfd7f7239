#include "apps/write-throughput/report/machine_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/write-throughput/report/records.h"

namespace throughput {
namespace {

using metrics::CounterStatus;
using metrics::ResultRecord;

ResultRecord Holding(const std::vector<metrics::CounterReading>& counters) {
  return With(ExampleRecord(), [&](ResultRecord& run) { run.counters = counters; });
}

// The figures of the test of the same name in perf_block_test.cc.
ResultRecord PerfsFigures() {
  ResultRecord run = Holding({Counted("task-clock", 6709969), Counted("context-switches", 17),
                              Counted("cpu-migrations", 0), Counted("page-faults", 670),
                              Missing("cycles", CounterStatus::kNotSupported)});
  run.seconds = 0.006901517;
  for (auto& reading : run.counters) {
    if (reading.status == CounterStatus::kCounted)
      reading.enabled_ns = reading.running_ns = 6709969;
  }
  return run;
}

TEST(PerfCsv, SaysWhatPerfSaysOfTheSameFigures) {
  EXPECT_EQ(PerfCsv(std::vector{PerfsFigures()}),
            "6.71,msec,task-clock,6709969,100.00,0.972,CPUs utilized\n"
            "17,,context-switches,6709969,100.00,2.534,K/sec\n"
            "0,,cpu-migrations,6709969,100.00,0.000,/sec\n"
            "670,,page-faults,6709969,100.00,99.851,K/sec\n"
            "<not supported>,,cycles,0,100.00,,\n");
}

TEST(PerfJson, SaysWhatPerfSaysOfTheSameFigures) {
  EXPECT_EQ(
      PerfJson(std::vector{PerfsFigures()}),
      R"({"counter-value" : "6.709969", "unit" : "msec", "event" : "task-clock", "event-runtime" : 6709969, "pcnt-running" : 100.00, "metric-value" : 0.972246, "metric-unit" : "CPUs utilized"}
{"counter-value" : "17.000000", "unit" : "", "event" : "context-switches", "event-runtime" : 6709969, "pcnt-running" : 100.00, "metric-value" : 2.533544, "metric-unit" : "K/sec"}
{"counter-value" : "0.000000", "unit" : "", "event" : "cpu-migrations", "event-runtime" : 6709969, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : "/sec"}
{"counter-value" : "670.000000", "unit" : "", "event" : "page-faults", "event-runtime" : 6709969, "pcnt-running" : 100.00, "metric-value" : 99.851430, "metric-unit" : "K/sec"}
{"counter-value" : "<not supported>", "unit" : "", "event" : "cycles", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}
)");
}

TEST(PerfCsv, CutsPercentSignsAndBlanksFromMetrics) {
  const std::string text = PerfCsv(std::vector{ExampleRecord()});
  EXPECT_EQ(LineWith(text, "branch-misses"),
            "53157766,,branch-misses,2838650000,100.00,1.41,of all branches");
  EXPECT_EQ(LineWith(text, ",instructions"),
            "19887102451,,instructions,2838650000,100.00,1.72,insn per cycle");
  EXPECT_EQ(LineWith(text, "stalled cycles"), ",,,,,0.14,stalled cycles per insn");
}

TEST(PerfCsv, SetsTheVarianceBeforeTheRunTime) {
  const std::vector runs = {WithCounter(ExampleRecord(), "page-faults", 10),
                            WithCounter(ExampleRecord(), "page-faults", 14)};
  const std::string text = PerfCsv(runs);
  EXPECT_EQ(LineWith(text, "page-faults"), "12,,page-faults,16.67%,2838650000,100.00,4.227,/sec");
  EXPECT_EQ(LineWith(text, "cpu-migrations"),
            "351,,cpu-migrations,0.00%,2838650000,100.00,123.650,/sec");
}

TEST(PerfCsv, HasTheSameNumberOfFieldsInEveryLine) {
  for (const auto& [runs, commas] : {std::pair{std::vector{ExampleRecord()}, 6},
                                     std::pair{std::vector{ExampleRecord(), ExampleRecord()}, 7}}) {
    for (const std::string& line : LinesOf(PerfCsv(runs))) {
      EXPECT_EQ(std::count(line.begin(), line.end(), ','), commas) << line;
    }
  }
}

TEST(PerfCsv, TellsNotCountedAndMultiplexedByThePercentage) {
  metrics::CounterReading shared = Counted("branches", 100);
  shared.enabled_ns = 1000;
  shared.running_ns = 750;
  const std::string text =
      PerfCsv(std::vector{Holding({shared, Missing("cycles", CounterStatus::kNotCounted),
                                   Missing("instructions", CounterStatus::kSuspect)})});
  EXPECT_EQ(LineWith(text, "branches"), "100,,branches,750,75.00,,");
  EXPECT_EQ(LineWith(text, "cycles"), "<not counted>,,cycles,0,0.00,,");
  EXPECT_EQ(LineWith(text, "instructions"), "<suspect>,,instructions,0,100.00,,");
}

TEST(PerfCsv, QuotesAnEventNameThatHoldsACommaOrQuote) {
  EXPECT_EQ(PerfCsv(std::vector{Holding({Counted("cpu/event=0x3c,\"x\"/", 1)})}),
            "1,,\"cpu/event=0x3c,\"\"x\"\"/\",2838650000,100.00,,\n");
}

TEST(PerfJson, IsValidJsonWithNumbersAsNumbersInEveryLine) {
  const std::vector runs = {Holding({Counted("odd\"\n\\\xff", 1)}), ExampleRecord()};
  for (const std::string& line : LinesOf(PerfJson(runs))) {
    const auto object = nlohmann::json::parse(line);
    EXPECT_TRUE(object["metric-value"].is_number()) << line;
  }
  EXPECT_EQ(nlohmann::json::parse(LinesOf(PerfJson(runs))[0])["event"], "odd\"\n\\\uFFFD");
}

TEST(PerfJson, HasTheVarianceOfRepeats) {
  const std::vector runs = {WithCounter(ExampleRecord(), "page-faults", 10),
                            WithCounter(ExampleRecord(), "page-faults", 14)};
  EXPECT_EQ(
      LineWith(PerfJson(runs), "page-faults"),
      R"({"counter-value" : "12.000000", "unit" : "", "event" : "page-faults", "variance" : 16.67, "event-runtime" : 2838650000, "pcnt-running" : 100.00, "metric-value" : 4.227362, "metric-unit" : "/sec"})");
}

TEST(PerfJson, WritesASecondMetricAsAnObjectOfItsOwn) {
  EXPECT_EQ(LineWith(PerfJson(std::vector{ExampleRecord()}), "stalled cycles per insn"),
            R"({"metric-value" : 0.142318, "metric-unit" : "stalled cycles per insn"})");
}

TEST(MachineForms, PrintIntervalsWithTheirTimesBeforeTheTotals) {
  ResultRecord run = Holding({Counted("task-clock", 3e9)});
  run.seconds = 2;
  run.intervals = {{1, 10, {Counted("task-clock", 5e8)}}, {1.5, 10, {Counted("task-clock", 5e8)}}};
  EXPECT_EQ(PerfCsv(std::vector{run}),
            "     1.000000000,500.00,msec,task-clock,2838650000,100.00,0.500,CPUs utilized\n"
            "     1.500000000,500.00,msec,task-clock,2838650000,100.00,1.000,CPUs utilized\n"
            "         summary,3000.00,msec,task-clock,2838650000,100.00,1.500,CPUs utilized\n");
  const std::vector<std::string> lines = LinesOf(PerfJson(std::vector{run}));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].find(R"({"interval" : 1.500000000, "counter-value" : "500.000000")"), 0u);
  EXPECT_EQ(lines[2].find(R"({"counter-value" : "3000.000000")"), 0u);
}

}  // namespace
}  // namespace throughput
