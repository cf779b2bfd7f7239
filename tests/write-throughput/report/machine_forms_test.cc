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

std::string Csv(const std::vector<ResultRecord>& runs) { return PerfCsv(runs, {"wt", "-t", "1"}); }
std::string Json(const std::vector<ResultRecord>& runs) {
  return PerfJson(runs, {"wt", "-t", "1"});
}

// The lines that are perf's own.
std::string CsvFigures(const std::vector<ResultRecord>& runs) {
  std::string figures;
  for (const std::string& line : LinesOf(Csv(runs))) {
    if (!line.starts_with("#")) figures += line + "\n";
  }
  return figures;
}
std::string JsonFigures(const std::vector<ResultRecord>& runs) {
  std::string figures;
  for (const std::string& line : LinesOf(Json(runs))) {
    if (line.find("metric-value") != std::string::npos) figures += line + "\n";
  }
  return figures;
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
  EXPECT_EQ(CsvFigures(std::vector{PerfsFigures()}),
            "6.71,msec,task-clock,6709969,100.00,0.972,CPUs utilized\n"
            "17,,context-switches,6709969,100.00,2.534,K/sec\n"
            "0,,cpu-migrations,6709969,100.00,0.000,/sec\n"
            "670,,page-faults,6709969,100.00,99.851,K/sec\n"
            "<not supported>,,cycles,0,100.00,,\n");
}

TEST(PerfJson, SaysWhatPerfSaysOfTheSameFigures) {
  EXPECT_EQ(
      JsonFigures(std::vector{PerfsFigures()}),
      R"({"counter-value" : "6.709969", "unit" : "msec", "event" : "task-clock", "event-runtime" : 6709969, "pcnt-running" : 100.00, "metric-value" : 0.972246, "metric-unit" : "CPUs utilized", "cell" : 1}
{"counter-value" : "17.000000", "unit" : "", "event" : "context-switches", "event-runtime" : 6709969, "pcnt-running" : 100.00, "metric-value" : 2.533544, "metric-unit" : "K/sec", "cell" : 1}
{"counter-value" : "0.000000", "unit" : "", "event" : "cpu-migrations", "event-runtime" : 6709969, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : "/sec", "cell" : 1}
{"counter-value" : "670.000000", "unit" : "", "event" : "page-faults", "event-runtime" : 6709969, "pcnt-running" : 100.00, "metric-value" : 99.851430, "metric-unit" : "K/sec", "cell" : 1}
{"counter-value" : "<not supported>", "unit" : "", "event" : "cycles", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : "", "cell" : 1}
)");
}

TEST(PerfCsv, CutsPercentSignsAndBlanksFromMetrics) {
  const std::string text = CsvFigures(std::vector{ExampleRecord()});
  EXPECT_EQ(LineWith(text, "branch-misses"),
            "53157766,,branch-misses,2838650000,100.00,1.41,of all branches");
  EXPECT_EQ(LineWith(text, ",instructions"),
            "19887102451,,instructions,2838650000,100.00,1.72,insn per cycle");
  EXPECT_EQ(LineWith(text, "stalled cycles"), ",,,,,0.14,stalled cycles per insn");
}

TEST(PerfCsv, SetsTheVarianceBeforeTheRunTime) {
  const std::vector runs = {WithCounter(ExampleRecord(), "page-faults", 10),
                            WithCounter(ExampleRecord(), "page-faults", 14)};
  const std::string text = CsvFigures(runs);
  EXPECT_EQ(LineWith(text, "page-faults"), "12,,page-faults,16.67%,2838650000,100.00,4.227,/sec");
  EXPECT_EQ(LineWith(text, "cpu-migrations"),
            "351,,cpu-migrations,0.00%,2838650000,100.00,123.650,/sec");
}

TEST(PerfCsv, HasTheSameNumberOfFieldsInEveryLine) {
  for (const auto& [runs, commas] : {std::pair{std::vector{ExampleRecord()}, 6},
                                     std::pair{std::vector{ExampleRecord(), ExampleRecord()}, 7}}) {
    for (const std::string& line : LinesOf(CsvFigures(runs))) {
      EXPECT_EQ(std::count(line.begin(), line.end(), ','), commas) << line;
    }
  }
}

TEST(PerfCsv, TellsNotCountedAndMultiplexedByThePercentage) {
  metrics::CounterReading shared = Counted("branches", 100);
  shared.enabled_ns = 1000;
  shared.running_ns = 750;
  const std::string text =
      CsvFigures(std::vector{Holding({shared, Missing("cycles", CounterStatus::kNotCounted),
                                      Missing("instructions", CounterStatus::kSuspect)})});
  EXPECT_EQ(LineWith(text, "branches"), "100,,branches,750,75.00,,");
  EXPECT_EQ(LineWith(text, "cycles"), "<not counted>,,cycles,0,0.00,,");
  EXPECT_EQ(LineWith(text, "instructions"), "<suspect>,,instructions,0,100.00,,");
}

TEST(PerfCsv, QuotesAnEventNameThatHoldsACommaOrQuote) {
  EXPECT_EQ(CsvFigures(std::vector{Holding({Counted("cpu/event=0x3c,\"x\"/", 1)})}),
            "1,,\"cpu/event=0x3c,\"\"x\"\"/\",2838650000,100.00,,\n");
}

TEST(PerfJson, IsValidJsonWithNumbersAsNumbersInEveryLine) {
  const std::vector runs = {Holding({Counted("odd\"\n\\\xff", 1)}), ExampleRecord()};
  for (const std::string& line : LinesOf(JsonFigures(runs))) {
    const auto object = nlohmann::json::parse(line);
    EXPECT_TRUE(object["metric-value"].is_number()) << line;
  }
  EXPECT_EQ(nlohmann::json::parse(LinesOf(JsonFigures(runs))[0])["event"], "odd\"\n\\\uFFFD");
}

TEST(PerfJson, HasTheVarianceOfRepeats) {
  const std::vector runs = {WithCounter(ExampleRecord(), "page-faults", 10),
                            WithCounter(ExampleRecord(), "page-faults", 14)};
  EXPECT_EQ(
      LineWith(JsonFigures(runs), "page-faults"),
      R"({"counter-value" : "12.000000", "unit" : "", "event" : "page-faults", "variance" : 16.67, "event-runtime" : 2838650000, "pcnt-running" : 100.00, "metric-value" : 4.227362, "metric-unit" : "/sec", "cell" : 1})");
}

TEST(PerfJson, WritesASecondMetricAsAnObjectOfItsOwn) {
  EXPECT_EQ(
      LineWith(JsonFigures(std::vector{ExampleRecord()}), "stalled cycles per insn"),
      R"({"metric-value" : 0.142318, "metric-unit" : "stalled cycles per insn", "cell" : 1})");
}

TEST(MachineForms, SayWhichCellTheyAreOfAndWhatIsMissing) {
  ResultRecord run = Holding(
      {Counted("page-faults", 7), Missing("cycles", CounterStatus::kNotSupported, "no \"PMU\"")});
  run.cell = 3;
  const std::string csv = Csv({run});
  EXPECT_EQ(LinesOf(csv)[0], "# cell 3: wt -t 1");
  EXPECT_EQ(LineWith(csv, "no \"PMU\""), "# cycles: no \"PMU\"");
  for (const std::string& line : LinesOf(Json({run}))) {
    EXPECT_EQ(nlohmann::json::parse(line)["cell"], 3) << line;
  }
  EXPECT_EQ(nlohmann::json::parse(LinesOf(Json({run}))[0])["command"], "wt -t 1");
  EXPECT_EQ(nlohmann::json::parse(LineWith(Json({run}), "<not supported>"))["cause"], "no \"PMU\"");
  EXPECT_EQ(nlohmann::json::parse(LineWith(Json({run}), "note"))["note"],
            "Software counters are from perf events.");
}

TEST(MachineForms, HaveALineForEachCounterOfEachThread) {
  ResultRecord run = Holding({Counted("page-faults", 9)});
  run.thread_counters = {{"load-0", {Counted("page-faults", 7)}},
                         {"a,b", {Counted("page-faults", 2)}}};
  EXPECT_EQ(CsvFigures({run}),
            "summary,9,,page-faults,2838650000,100.00,,\n"
            "load-0,7,,page-faults,2838650000,100.00,,\n"
            "\"a,b\",2,,page-faults,2838650000,100.00,,\n");
  EXPECT_EQ(JsonFigures({run}).find(R"({"counter-value" : "9.000000")"), 0u);
  const auto thread = nlohmann::json::parse(LineWith(Json({run}), "load-0"));
  EXPECT_EQ(thread["thread"], "load-0");
  EXPECT_EQ(thread["counter-value"], "7.000000");
}

TEST(MachineForms, ShowPhases) {
  ResultRecord run = Holding({Counted("page-faults", 9)});
  run.rows = 1000;
  run.phases = {{"insert", 0.001, true, 104000, 98000}, {"background", 1e-6, false, 0, 0}};
  run.phases_note = "4 readings";
  EXPECT_EQ(LineWith(Csv({run}), "insert"),
            "#           1000.00            104.00             98.00  insert");
  EXPECT_THAT(Csv({run}), testing::HasSubstr("# 4 readings\n"));
  const auto insert = nlohmann::json::parse(LineWith(Json({run}), "insert"));
  EXPECT_EQ(insert["phase"], "insert");
  EXPECT_EQ(insert["nsec-per-row"], 1000);
  EXPECT_EQ(insert["instructions-per-row"], 104);
  EXPECT_EQ(insert["cycles-per-row"], 98);
  EXPECT_FALSE(
      nlohmann::json::parse(LineWith(Json({run}), "background")).contains("instructions-per-row"));
  EXPECT_THAT(Json({run}), testing::HasSubstr("\"note\" : \"4 readings\""));
}

TEST(MachineForms, NameTheRunOfAnIntervalOrThreadOfSeveral) {
  ResultRecord first = Holding({Counted("page-faults", 9)});
  first.thread_counters = {{"load-0", {Counted("page-faults", 7)}}};
  const ResultRecord second = With(first, [](ResultRecord& run) { run.repeat = 2; });
  std::vector<std::string> comments;
  for (const std::string& line : LinesOf(Csv({first, second}))) {
    if (line.starts_with("# run")) comments.push_back(line);
  }
  EXPECT_THAT(comments, testing::ElementsAre("# run 1", "# run 2"));
  EXPECT_EQ(nlohmann::json::parse(LineWith(Json({second, second}), "load-0"))["run"], 2);
  EXPECT_FALSE(nlohmann::json::parse(LineWith(Json({first, second}), "9.000000")).contains("run"));
}

TEST(MachineForms, PrintIntervalsWithTheirTimesBeforeTheTotals) {
  ResultRecord run = Holding({Counted("task-clock", 3e9)});
  run.seconds = 2;
  run.intervals = {{1, 10, {Counted("task-clock", 5e8)}}, {1.5, 10, {Counted("task-clock", 5e8)}}};
  EXPECT_EQ(CsvFigures(std::vector{run}),
            "     1.000000000,500.00,msec,task-clock,2838650000,100.00,0.500,CPUs utilized\n"
            "     1.500000000,500.00,msec,task-clock,2838650000,100.00,1.000,CPUs utilized\n"
            "         summary,3000.00,msec,task-clock,2838650000,100.00,1.500,CPUs utilized\n");
  const std::vector<std::string> lines = LinesOf(JsonFigures(std::vector{run}));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].find(R"({"interval" : 1.500000000, "counter-value" : "500.000000")"), 0u);
  EXPECT_EQ(lines[2].find(R"({"counter-value" : "3000.000000")"), 0u);
}

}  // namespace
}  // namespace throughput
