// The program from outside: files in, files and streams out, exit codes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/results/made_record.h"
#include "tests/results/program.h"
#include "tests/results/scratch_folder.h"
#include "tests/throughput-changes/made_history.h"

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string ResultFile(const ScratchFolder& folder, const std::string& name,
                       double rows_per_second) {
  metrics::ResultRecord record = MadeRecord();
  SetRate(record, rows_per_second);
  return folder.Write(name, metrics::ToJson(record) + "\n");
}

ProgramResult Record(const ScratchFolder& folder, const std::string& result,
                     const std::string& commit, int64_t time) {
  return RunProgram({"record", folder.Path("h.jsonl"), result, "--commit", commit, "--time",
                     fmt::format("{}", time)});
}

std::vector<double> StepOf(int before, int after) {
  std::vector<double> values;
  for (int i = 0; i < before + after; ++i) values.push_back((i < before ? 1000 : 900) + i % 3);
  return values;
}

TEST(Program, RecordsCommitAfterCommitAndReportsTheChange) {
  const ScratchFolder folder;
  for (int i = 0; i < 12; ++i) {
    const auto result = ResultFile(folder, "r.json", (i < 6 ? 100'000 : 120'000) + i);
    const auto recorded = Record(folder, result, fmt::format("c{}", i), 1000 + i);
    ASSERT_EQ(recorded.exit_code, 0) << recorded.errors;
    EXPECT_EQ(recorded.output, "");
    EXPECT_THAT(recorded.errors, HasSubstr("recorded 1 run of 1 test at commit c"));
  }
  EXPECT_THAT(folder.Names(), ElementsAre("h.jsonl", "r.json"));
  const auto report = RunProgram({"report", folder.Path("h.jsonl")});
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_EQ(report.errors, "");
  EXPECT_THAT(report.output, StartsWith("1 change / 1 test & 6 metrics over 12 commits"));
  EXPECT_THAT(report.output, HasSubstr("commit c6 (1970-01-01)"));
}

TEST(Program, TakesRepeatsOfACellAsRunsOfOneTest) {
  const ScratchFolder folder;
  const auto first = ResultFile(folder, "1.json", 100);
  const auto second = ResultFile(folder, "2.json", 101);
  const auto recorded = RunProgram(
      {"record", folder.Path("h.jsonl"), first, second, "--commit", "c0", "--time", "1"});
  EXPECT_EQ(recorded.exit_code, 0);
  EXPECT_THAT(recorded.errors, HasSubstr("recorded 2 runs of 1 test"));
  EXPECT_THAT(folder.Read("h.jsonl"), HasSubstr("\"run\":2"));
}

TEST(Program, AppendsAndLeavesOldLinesAsTheyAre) {
  const ScratchFolder folder;
  std::string old = "  " + Lines(MadeRuns({1}));
  old.pop_back();
  folder.Write("h.jsonl", old + "\r");
  ASSERT_EQ(
      RunProgram({"record", folder.Path("h.jsonl"), ResultFile(folder, "r.json", 100), "--commit",
                  "c1", "--time", "1800000000", "--repository", "https://example.org/engine"})
          .exit_code,
      0);
  EXPECT_THAT(folder.Read("h.jsonl"), StartsWith(old + "\r\n{\"history_version\":1,"));
}

TEST(Program, RefusesBadResultsAndWritesNothing) {
  const ScratchFolder folder;
  metrics::ResultRecord interrupted = MadeRecord();
  interrupted.interrupted = true;
  metrics::ResultRecord backwards = MadeRecord();
  SetRate(backwards, -100'000);
  backwards.seconds = 0.01;
  const std::string good = metrics::ToJson(MadeRecord());
  std::string other_version = good;
  other_version.replace(other_version.find(":1,"), 3, ":9,");
  std::string not_a_number = good;
  const size_t rate = not_a_number.find("\"rows_per_second\":") + 18;
  not_a_number.replace(rate, not_a_number.find(',', rate) - rate, "null");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {not_a_number, "r.json line 1: rows_per_second is not a number"},
      {"", "r.json: is empty"},
      {" \n\n", "r.json: is empty"},
      {metrics::ToJson(backwards), "r.json line 1: rows_per_second is -100000: above 0"},
      {good.substr(0, good.size() / 2), "r.json line 1: "},
      {good + "\n" + good.substr(0, 50), "r.json line 2: "},
      {other_version + "\n", "schema_version 9"},
      {good + "\n" + good + "\n", "r.json line 2: the same run as "},
      {metrics::ToJson(interrupted) + "\n", "r.json line 1: the run was interrupted"},
      {Lines(MadeRuns({1})), "r.json line 1: "},
  };
  for (const auto& [contents, message] : cases) {
    ExpectRefused(Record(folder, folder.Write("r.json", contents), "c0", 1), message);
  }
  ExpectRefused(Record(folder, folder.Path("missing"), "c0", 1), "No such file");
  EXPECT_THAT(folder.Names(), ElementsAre("r.json"));
}

TEST(Program, RefusesWhatDoesNotFitTheHistoryAndLeavesItAlone) {
  const ScratchFolder folder;
  const auto result = ResultFile(folder, "r.json", 100);
  ASSERT_EQ(Record(folder, result, "c1", 1000).exit_code, 0);
  const std::string before = folder.Read("h.jsonl");
  ExpectRefused(Record(folder, result, "c1", 1000), "commit c1 has run 1 of 'Burin");
  ExpectRefused(Record(folder, result, "c2", 999), "time 999 after 1000");
  metrics::ResultRecord user_only = MadeRecord();
  user_only.counters.front().modifiers = "u";
  ExpectRefused(
      Record(folder, folder.Write("u.json", metrics::ToJson(user_only) + "\n"), "c2", 1001),
      "unit of instructions/row 'instructions:u/row' after 'instructions/row'");
  EXPECT_EQ(folder.Read("h.jsonl"), before);
}

TEST(Program, RefusesToAppendToAHistoryThatIsBroken) {
  const ScratchFolder folder;
  const auto result = ResultFile(folder, "r.json", 100);
  const std::string lines = Lines(MadeRuns({1, 2}));
  for (const std::string& broken : {std::string(), lines.substr(0, lines.size() - 9)}) {
    folder.Write("h.jsonl", broken);
    ExpectRefused(Record(folder, result, "c9", 1'900'000'000), "h.jsonl");
    EXPECT_EQ(folder.Read("h.jsonl"), broken);
  }
}

TEST(Program, RefusesAHistoryThatIsNoFile) {
  const ScratchFolder folder;
  const auto result = ResultFile(folder, "r.json", 100);
  std::filesystem::create_directory(folder.Path("h.jsonl"));
  ExpectRefused(Record(folder, result, "c0", 1), "Is a directory");
  ExpectRefused(RunProgram({"report", folder.Path("h.jsonl")}), "Is a directory");
  ExpectRefused(
      RunProgram({"record", folder.Path("no/h.jsonl"), result, "--commit", "c", "--time", "1"}),
      "No such file");
}

TEST(Program, LosesNothingWhenTheDiskIsFull) {
  const ScratchFolder folder;
  const std::string old = Lines(MadeRuns(std::vector<double>(20, 1)));
  folder.Write("h.jsonl", old);
  const auto full =
      RunProgram({"record", folder.Path("h.jsonl"), ResultFile(folder, "r.json", 1), "--commit",
                  "new", "--time", "1800000000", "--repository", "https://example.org/engine"},
                 {.file_size_limit = 1000});
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_THAT(full.errors, HasSubstr("h.jsonl: File too large"));
  EXPECT_EQ(folder.Read("h.jsonl"), old);
  EXPECT_THAT(folder.Names(), ElementsAre("h.jsonl", "r.json"));
}

TEST(Program, LosesNoRunWhenManyRecordAtOnce) {
  const ScratchFolder folder;
  constexpr int kProcesses = 8;
  const auto result = ResultFile(folder, "r.json", 100);
  std::vector<std::vector<std::string>> commands;
  for (int i = 0; i < kProcesses; ++i) {
    commands.push_back({"record", folder.Path("h.jsonl"), result, "--commit", fmt::format("c{}", i),
                        "--time", "5"});
  }
  // On a disk so slow that one of them loses patience, it says so, and its run is not in the file.
  int recorded = 0;
  for (const ProgramResult& each : RunTogether(commands)) {
    recorded += each.exit_code == 0 ? 1 : 0;
    if (each.exit_code != 0) ExpectRefused(each, "another process is writing");
  }
  EXPECT_GT(recorded, 0);
  const std::string lines = folder.Read("h.jsonl");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), recorded);
}

TEST(Program, RefusesToReportOnOneCommit) {
  const ScratchFolder folder;
  ExpectRefused(RunProgram({"report", folder.Write("h.jsonl", Lines(MadeRuns({1})))}),
                "holds one commit, and a change needs several to show");
}

TEST(Program, ExitsWithThreeWhenAskedAndWorse) {
  const ScratchFolder folder;
  const auto history = folder.Write("h.jsonl", Lines(MadeRuns(StepOf(10, 6))));
  EXPECT_EQ(RunProgram({"report", history}).exit_code, 0);
  EXPECT_EQ(RunProgram({"report", history, "--fail-on-worse", "5"}).exit_code, 0);
  const auto worse = RunProgram({"report", history, "--fail-on-worse", "6"});
  EXPECT_EQ(worse.exit_code, 3);
  EXPECT_THAT(worse.output, StartsWith("1 change / "));
  EXPECT_EQ(worse.errors,
            "throughput-changes: 1 change for the worse within the newest 6 commits\n");
}

TEST(Program, ExportsBothFormats) {
  const ScratchFolder folder;
  const auto history = folder.Write("h.jsonl", Lines(MadeRuns(StepOf(10, 6))));
  const auto exported = RunProgram(
      {"export", history, "--otava", folder.Path("otava"), "--nyrkio", folder.Path("nyrkio")});
  EXPECT_EQ(exported.exit_code, 0) << exported.errors;
  EXPECT_EQ(exported.output, "");
  EXPECT_THAT(folder.Names(), ElementsAre("h.jsonl", "nyrkio", "otava"));
  EXPECT_EQ(nlohmann::json::parse(folder.Read("nyrkio/001-burin-threads-1.json")).size(), 16);
  ExpectRefused(RunProgram({"export", history, "--otava", folder.Path("otava")}),
                "has to be a new or an empty folder");
}

TEST(Program, ExportsNeitherWhenOneFolderIsInUse) {
  const ScratchFolder folder;
  const auto history = folder.Write("h.jsonl", Lines(MadeRuns({1})));
  ExpectRefused(
      RunProgram({"export", history, "--otava", folder.Path("new"), "--nyrkio", folder.Path("")}),
      "has to be a new or an empty folder");
  EXPECT_THAT(folder.Names(), ElementsAre("h.jsonl"));
}

TEST(Program, WithItsOutputOnAFullDeviceFails) {
  const ScratchFolder folder;
  const auto history = folder.Write("h.jsonl", Lines(MadeRuns({1, 2})));
  const auto full = RunProgram({"report", history}, {.output_file = "/dev/full"});
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_EQ(full.errors, "throughput-changes: standard output: No space left on device\n");
}

TEST(Program, SaysTheSameInEveryLocale) {
  const ScratchFolder folder;
  const auto history = folder.Write("h.jsonl", Lines(MadeRuns(StepOf(10, 6))));
  const std::vector<std::string> report{"report", history, "--max-pvalue", "0.01"};
  const auto plain = RunProgram(report, {.environment = {{"LC_ALL", "C"}}});
  for (const char* locale : {"xx_YY", "de_DE.UTF-8"}) {
    const auto other = RunProgram(report, {.environment = {{"LC_ALL", locale}}});
    EXPECT_EQ(other.exit_code, 0);
    EXPECT_EQ(other.output, plain.output);
    EXPECT_EQ(other.errors, "");
  }
}

TEST(Program, RefusesABadCommandLineBeforeItReadsAnything) {
  ExpectRefused(RunProgram({"report", "/missing", "--window", "0"}), "--window '0'");
  ExpectRefused(RunProgram({}), "--help explains");
}

TEST(Program, PrintsHelpToStandardOutput) {
  const auto help = RunProgram({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.output, HasSubstr("usage:"));
  EXPECT_EQ(help.errors, "");
}

}  // namespace
}  // namespace throughput
