// The lines of a history: what is written is read back, and what is wrong is said in one line.
#include "apps/throughput-changes/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/throughput-changes/made_history.h"

namespace throughput {
namespace {

using testing::HasSubstr;
using testing::Not;

Result<std::vector<RecordedRun>> Parse(const std::string& text) {
  HistoryChecker checker;
  return ParseHistory(text, "h.jsonl", checker);
}

void ExpectRefused(const std::string& text, const std::string& message) {
  const auto runs = Parse(text);
  ASSERT_FALSE(runs) << text;
  EXPECT_EQ(runs.error().exit_code, kExitRefused);
  EXPECT_THAT(runs.error().message, HasSubstr(message));
  EXPECT_THAT(runs.error().message, Not(HasSubstr("\n")));
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// One good line with one part of it replaced.
std::string Line(const std::string& from, const std::string& to) {
  return Replaced(Lines({MadeRun(0, 100.5)}), from, to);
}

TEST(History, IsReadAsItWasWritten) {
  RecordedRun run = MadeRun(3, 0.1 + 0.2);
  run.run = 7;
  run.metrics.push_back({"p99", "us", Better::kLower, 1e-9});
  run.test = "a \"quoted\" \\ test\nof two lines";
  const auto runs = Parse(FormatRun(run) + "\n");
  ASSERT_TRUE(runs) << runs.error().message;
  ASSERT_EQ(runs->size(), 1);
  EXPECT_EQ(FormatRun(runs->front()), FormatRun(run));
  EXPECT_EQ(runs->front().metrics.front().value, 0.1 + 0.2);
  EXPECT_EQ(runs->front().test, run.test);
}

TEST(History, BeginsALineWithItsVersion) {
  EXPECT_THAT(FormatRun(MadeRun(0, 1)), testing::StartsWith("{\"history_version\":1,"));
}

TEST(History, ReplacesBytesThatAreNoUtf8) {
  RecordedRun run = MadeRun(0, 1);
  run.test = "bad \xff";
  EXPECT_TRUE(Parse(FormatRun(run)));
}

TEST(History, PassesOverFieldsItDoesNotKnow) {
  EXPECT_TRUE(Parse(Line("\"run\"", "\"later\":[1],\"run\"")));
}

TEST(History, MayLackTheLastNewline) {
  std::string text = Lines(MadeRuns({1, 2}));
  text.pop_back();
  EXPECT_TRUE(Parse(text));
}

TEST(History, WithNothingInItIsRefused) {
  for (const char* text : {"", "\n", " \t\r\n\n"}) {
    ExpectRefused(text, "h.jsonl: is empty: it holds no run");
  }
}

TEST(History, CutAnywhereInItsLastLineIsRefused) {
  const std::string text = Lines(MadeRuns({1, 2}));
  const size_t second = text.find('\n') + 1;
  for (size_t size = second + 1; size + 1 < text.size(); ++size) {
    ExpectRefused(text.substr(0, size), "h.jsonl line 2: cut short");
  }
}

TEST(History, WithALineThatIsNoObjectIsRefused) {
  ExpectRefused("\n{}", "line 1: not a JSON object");
  ExpectRefused("[1]\n", "line 1: not a JSON object");
  ExpectRefused(std::string("\0\0\n", 3), "line 1: not a JSON object");
  ExpectRefused(Line("Burin", "\xff"), "line 1: not a JSON object");
}

TEST(History, OfAnotherVersionIsRefused) {
  ExpectRefused(Line("\"history_version\":1", "\"history_version\":2"),
                "line 1: history_version 2 is not known, only 1");
  ExpectRefused(Line("\"history_version\":1", "\"history_version\":\"1\""), "is not known");
  ExpectRefused("{\"schema_version\":1}\n", "not a line of a history");
}

TEST(History, WithAValueThatIsNoFiniteNumberIsRefused) {
  ExpectRefused(Line("100.5", "NaN"), "not a JSON object");
  ExpectRefused(Line("100.5", "1e999"), "not a JSON object");
  ExpectRefused(Line("100.5", "null"), "\"value\" has to be a finite number");
  ExpectRefused(Line("100.5", "\"100\""), "\"value\" has to be a finite number");
  ExpectRefused(Line("100.5", "1e101"), "\"value\" has to be a finite number");
}

TEST(History, NamesTheFieldThatIsMissingOrWrong) {
  ExpectRefused(Line("\"commit\"", "\"x\""), "\"commit\" is missing");
  ExpectRefused(Line("\"c0\"", "\"\""), "\"commit\" has to be text that is not empty");
  ExpectRefused(Line("\"c0\"", "7"), "\"commit\" has to be text");
  ExpectRefused(Line("1700000000", "-1"), "\"time\" has to be a whole number from 0");
  ExpectRefused(Line("1700000000", "253402300800"), "\"time\" has to be a whole number");
  ExpectRefused(Line("1700000000", "1.5"), "\"time\" has to be a whole number");
  ExpectRefused(Line("1700000000", "18446744073709551615"), "\"time\" has to be a whole number");
  ExpectRefused(Line("\"run\":1", "\"run\":0"), "\"run\" has to be a whole number from 1");
  ExpectRefused(Line("\"higher\"", "\"sideways\""), "\"better\" has to be");
  ExpectRefused(Line("\"metrics\":[", "\"metrics\":[1,"), "a metric has to be an object");
  ExpectRefused(Line("\"metrics\":[", "\"metrics\":[],\"x\":["), "\"metrics\" has to be a list");
}

TEST(History, WithFallingTimesIsRefused) {
  auto runs = MadeRuns({1, 2});
  std::swap(runs[0], runs[1]);
  ExpectRefused(Lines(runs), "line 2: time 1700000000 after 1700086400");
}

TEST(History, MayHoldCommitsOfTheSameSecond) {
  auto runs = MadeRuns({1, 2});
  runs[1].time = runs[0].time;
  EXPECT_TRUE(Parse(Lines(runs)));
}

TEST(History, WithACommitThatComesAgainIsRefused) {
  auto runs = MadeRuns({1, 2, 3});
  runs[2].commit = "c0";
  ExpectRefused(Lines(runs), "line 3: commit c0 comes again after c1");
}

TEST(History, WithTheSameRunTwiceIsRefused) {
  const RecordedRun run = MadeRun(0, 1);
  ExpectRefused(Lines({run, run}), "line 2: commit c0 has run 1 of 'Burin threads=1' already");
}

TEST(History, OfOneCommitHasOneTimeAndOneMachine) {
  RecordedRun first = MadeRun(0, 1);
  RecordedRun second = first;
  second.run = 2;
  second.time += 1;
  ExpectRefused(Lines({first, second}), "commit c0 has two times");
  second.time = first.time;
  second.machine = "another machine";
  ExpectRefused(Lines({first, second}), "commit c0 was measured on two machines");
}

TEST(History, MayMoveToAnotherMachineWithACommit) {
  auto runs = MadeRuns({1, 2});
  runs[1].machine = "another machine";
  EXPECT_TRUE(Parse(Lines(runs)));
}

TEST(History, WithMixedUnitsIsRefused) {
  auto runs = MadeRuns({1, 2});
  runs[1].metrics[0].unit = "krows/s";
  ExpectRefused(Lines(runs), "line 2: unit of rows/s 'krows/s' after 'rows/s'");
  runs[1].metrics[0] = runs[0].metrics[0];
  runs[1].metrics[0].better = Better::kLower;
  ExpectRefused(Lines(runs), "line 2: metric 'rows/s' is better higher and better lower");
}

TEST(History, MayHaveAnotherUnitInAnotherTest) {
  auto runs = MadeRuns({1, 2});
  runs[1].test = "SQLite threads=1";
  runs[1].metrics[0].unit = "krows/s";
  EXPECT_TRUE(Parse(Lines(runs)));
}

TEST(History, WithTheSameMetricTwiceInALineIsRefused) {
  RecordedRun run = MadeRun(0, 1);
  run.metrics.push_back(run.metrics.front());
  ExpectRefused(Lines({run}), "metric 'rows/s' comes twice");
}

TEST(History, HoldsOneBranchOfOneRepository) {
  auto runs = MadeRuns({1, 2});
  runs[1].branch = "topic";
  ExpectRefused(Lines(runs), "line 2: branch 'topic' after 'main'");
  runs[1].branch = "main";
  runs[1].repository = "";
  ExpectRefused(Lines(runs), "line 2: repository '' after 'https://example.org/engine'");
}

}  // namespace
}  // namespace throughput
