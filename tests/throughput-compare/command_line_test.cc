// The program from outside: sides in, streams and exit codes out.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/results/made_record.h"
#include "tests/results/program.h"
#include "tests/results/scratch_folder.h"

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Runs of a cell with so many instructions a row; `first` numbers them, as no two are the same.
std::string ResultLines(const std::vector<double>& instructions, int first) {
  std::string lines;
  for (const double value : instructions) {
    auto record = MadeRecord();
    record.repeat = first++;
    record.counters.front().value = value * static_cast<double>(record.rows);
    lines += metrics::ToJson(record) + "\n";
  }
  return lines;
}

struct Files {
  ScratchFolder folder;
  std::string before = folder.Write("before.json", ResultLines({194, 194, 194, 194}, 1));
  std::string after = folder.Write("after.json", ResultLines({120, 120, 120, 120}, 11));
};

TEST(Compare, OfResultFilesSaysBetterByHowMuch) {
  const Files files;
  const auto result = RunProgram({files.before, "--", files.after});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  EXPECT_THAT(result.output, HasSubstr("-38.1 %"));
  EXPECT_THAT(result.output, HasSubstr("better\n"));
  EXPECT_THAT(files.folder.Names(), ElementsAre("after.json", "before.json"));
}

TEST(Compare, TakesSeveralFilesASide) {
  const Files files;
  const auto more = files.folder.Write("more.json", ResultLines({195, 196}, 21));
  const auto result = RunProgram({"--format", "json", files.before, more, "--", files.after});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const auto json = nlohmann::json::parse(result.output);
  EXPECT_EQ(json["comparison"]["metrics"][1]["values_before"].size(), 6);
}

TEST(Compare, ConnectionStringsAreNotAmongItsArguments) {
  const Files files;
  const auto telling =
      files.folder.Write("telling", "#!/bin/sh\ntr '\\0' ' ' </proc/$PPID/cmdline >&2\nexit 1\n");
  std::filesystem::permissions(telling, std::filesystem::perms::owner_all);
  const auto result = RunProgram({telling, "--engine-option", "dsn=host=h password=S3cret", "--",
                                  telling, "--engine-option=dsn=postgresql://u:S3cret@h/d"});
  EXPECT_THAT(result.errors, HasSubstr("--engine-option dsn=(hidden)"));
  EXPECT_THAT(result.output + result.errors, Not(HasSubstr("S3cret")));
}

TEST(Compare, FailsOnWhatIsWorseByEnough) {
  const Files files;
  const auto worse =
      RunProgram({"--fail-on", "worse:instructions/row:1%", files.after, "--", files.before});
  EXPECT_EQ(worse.exit_code, 3);
  EXPECT_THAT(worse.output, HasSubstr("worse\n"));
  EXPECT_THAT(worse.errors, HasSubstr("instructions/row is worse by 61.67 %"));
  EXPECT_EQ(RunProgram({"--fail-on", "worse:instructions/row:62%", files.after, "--", files.before})
                .exit_code,
            0);
  EXPECT_EQ(RunProgram({"--fail-on", "worse:instructions/row:1%", files.before, "--", files.after})
                .exit_code,
            0);
}

TEST(Compare, RefusesBadFilesInOneLine) {
  const Files files;
  const std::string good = ResultLines({1, 2}, 31);
  auto nameless = MadeRecord();
  nameless.system.clear();
  auto other_build = MadeRecord();
  other_build.environment.commit = "abc";
  std::string other_version = good;
  other_version.replace(other_version.find(":1,"), 3, ":9,");
  std::string not_a_number = good;
  const size_t rate = not_a_number.find("\"rows_per_second\":") + 18;
  not_a_number.replace(rate, not_a_number.find(',', rate) - rate, "null");
  std::string user_only = good;
  for (size_t at = 0; (at = user_only.find("\"modifiers\":\"\"", at)) != std::string::npos; ++at) {
    user_only.replace(at, 14, "\"modifiers\":\"u\"");
  }
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "is empty: it holds no result"},
      {"\n \n", "is empty: it holds no result"},
      {good.substr(0, good.size() - 20), "line 2: not a whole line of JSON"},
      {other_version, "line 1: schema_version 9 is unknown"},
      {not_a_number, "line 1: rows_per_second is not a number"},
      {user_only, "instructions/row is in 'instructions/row' here and in 'instructions:u/row'"},
      {ResultLines({1}, 31), "AFTER has one single run of 'Burin"},
      {ResultLines({194}, 1), "the same run as"},
      {metrics::ToJson(nameless), "line 1: system is ''"},
      {good + metrics::ToJson(other_build),
       "are no repeats: they differ in commit: not set -> abc"},
      {"Burin,1,100,0,106875.21\n", "line 1: not a whole line of JSON"},
  };
  for (const auto& [contents, message] : cases) {
    ExpectRefused(RunProgram({files.before, "--", files.folder.Write("bad.json", contents)}),
                  message);
  }
  EXPECT_THAT(files.folder.Names(), ElementsAre("after.json", "bad.json", "before.json"));
}

TEST(Compare, RefusesWhatMakesNoSense) {
  const Files files;
  ExpectRefused(RunProgram({"sh", "--", files.after}), "no mix");
  ExpectRefused(RunProgram({"--noise", files.before, "--", files.after}), "--noise: runs commands");
  ExpectRefused(RunProgram({files.before, "--", files.folder.Path("none")}),
                "AFTER '" + files.folder.Path("none") + "': No such file");
  ExpectRefused(RunProgram({files.before, files.folder.Path("none"), "--", files.after}),
                "none: No such file");
  ExpectRefused(RunProgram({files.before, "--", files.folder.Path("")}), "is a directory");
  ExpectRefused(RunProgram({files.before, files.folder.Path(""), "--", files.after}),
                "Is a directory");
  ExpectRefused(RunProgram({WRITE_THROUGHPUT, "-o", "f", "--", WRITE_THROUGHPUT}),
                "BEFORE '--output'");
  ExpectRefused(RunProgram({WRITE_THROUGHPUT, "--", WRITE_THROUGHPUT, "--summary=none"}),
                "AFTER '--summary'");
  ExpectRefused(RunProgram({"--fail-on", "worse:miles:1", files.before, "--", files.after}),
                "--fail-on names 'miles': the runs have rows/s");
  ExpectRefused(RunProgram({}), "BEFORE is missing");
}

TEST(Compare, RunsTwoCommandsInTurn) {
  const ScratchFolder folder;
  const std::string database = folder.Path("db");
  const auto result =
      RunProgram({"--runs", "4", "--noise", "--format", "markdown", WRITE_THROUGHPUT, "--database",
                  database, "--hasher", "sip13", "--", WRITE_THROUGHPUT, "--database", database});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  EXPECT_THAT(result.output, StartsWith("**Noise**: before against itself; 4 runs a side"));
  EXPECT_THAT(result.output, HasSubstr("hasher=sip13 -\\> Burin"));
  EXPECT_THAT(result.output, HasSubstr("Performance counter stats for '"));
  EXPECT_THAT(result.output, HasSubstr("--hasher sip13' (4 runs)"));
  EXPECT_THAT(result.output, HasSubstr("| syncs/transaction | 1.00 | 1.00 | +0.000 % |"));
  EXPECT_THAT(folder.Names(), ElementsAre());
}

TEST(Compare, PassesOnTheRefusalOfACommand) {
  ExpectRefused(RunProgram({WRITE_THROUGHPUT, "-t", "0", "--", WRITE_THROUGHPUT}),
                "BEFORE: exit code 2: write-throughput: --threads '0'");
}

TEST(Compare, RefusesAProgramThatMeasuresNothingBeforeTheSeriesBegins) {
  const ScratchFolder folder;
  const std::string script =
      folder.Write("counted", "#!/bin/sh\necho run >>\"" + folder.Path("runs") +
                                  "\"\nexec " WRITE_THROUGHPUT " \"$@\"\n");
  ASSERT_EQ(::chmod(script.c_str(), 0755), 0);
  ExpectRefused(RunProgram({"--noise", script, "--database", folder.Path("db"), "--", "/bin/true"}),
                "AFTER '/bin/true': ended without a record; a write-throughput is allowed");
  EXPECT_EQ(folder.Read("runs"), "run\n");
}

TEST(Compare, LosesARunInTheMiddleOfTheSeriesWithExitCodeOne) {
  const ScratchFolder folder;
  const std::string script = folder.Write(
      "dies", "#!/bin/sh\necho run >>\"" + folder.Path("runs") + "\"\ntest $(wc -l <\"" +
                  folder.Path("runs") +
                  "\") -gt 3 && echo refused >&2 && exit 2\nexec " WRITE_THROUGHPUT " \"$@\"\n");
  ASSERT_EQ(::chmod(script.c_str(), 0755), 0);
  const auto result = RunProgram({"--runs", "8", WRITE_THROUGHPUT, "--database", folder.Path("db"),
                                  "--", script, "--database", folder.Path("db")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(result.errors,
            "throughput-compare: AFTER: exit code 2: refused; what 2 runs a side had shown is "
            "lost\n");
}

TEST(Compare, SaysTheSameInEveryLocale) {
  const Files files;
  for (const char* format : {"text", "markdown", "json"}) {
    const std::vector<std::string> words{"--format", format, files.before, "--", files.after};
    const auto plain = RunProgram(words, {.environment = {{"LC_ALL", "C"}}});
    for (const char* locale : {"xx_YY", "de_DE.UTF-8"}) {
      const auto other = RunProgram(words, {.environment = {{"LC_ALL", locale}}});
      EXPECT_EQ(other.output, plain.output);
      EXPECT_EQ(other.errors, "");
    }
  }
}

TEST(Compare, WithItsOutputOnAFullDeviceFails) {
  const Files files;
  const auto full = RunProgram({files.before, "--", files.after}, {.output_file = "/dev/full"});
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_EQ(full.errors, "throughput-compare: standard output: No space left on device\n");
}

TEST(Compare, PrintsHelpToStandardOutput) {
  const auto help = RunProgram({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.output, HasSubstr("usage:"));
}

}  // namespace
}  // namespace throughput
