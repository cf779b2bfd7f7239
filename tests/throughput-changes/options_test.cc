// The command line: what is taken, and the one line said of what is not.
#include "apps/throughput-changes/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

template <typename Options>
Options Taken(const std::vector<std::string>& arguments) {
  const auto command = ParseCommandLine(arguments);
  if (command && std::holds_alternative<Options>(*command)) return std::get<Options>(*command);
  ADD_FAILURE() << (command ? "another command" : command.error().message);
  return {};
}

void ExpectRefused(const std::vector<std::string>& arguments, const std::string& message) {
  const auto command = ParseCommandLine(arguments);
  ASSERT_FALSE(command) << message;
  EXPECT_EQ(command.error().exit_code, kExitRefused);
  EXPECT_THAT(command.error().message, HasSubstr(message));
  EXPECT_THAT(command.error().message, Not(HasSubstr("\n")));
}

std::vector<std::string> Recording(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"record", "h", "r", "--commit", "abc", "--time", "5"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Options, OfRecordAreTaken) {
  const auto options = Taken<RecordOptions>({"record", "--commit=v1.2-dirty", "h", "a,b.json", "c",
                                             "--time", "1700000000", "--branch", "topic/x",
                                             "--repository", "https://example.org"});
  EXPECT_EQ(options.history, "h");
  EXPECT_THAT(options.results, ElementsAre("a,b.json", "c"));
  EXPECT_EQ(options.commit, "v1.2-dirty");
  EXPECT_EQ(options.time, 1'700'000'000);
  EXPECT_EQ(options.branch, "topic/x");
  EXPECT_EQ(options.repository, "https://example.org");
  EXPECT_EQ(Taken<RecordOptions>(Recording({})).branch, "main");
}

TEST(Options, OfReportAreTaken) {
  const auto options = Taken<ReportOptions>({"report", "h", "--window", "30", "--max-pvalue",
                                             "0.05", "--min-magnitude", "0.02", "--format",
                                             "markdown", "--fail-on-worse", "10"});
  EXPECT_EQ(options.change_points.window, 30);
  EXPECT_EQ(options.change_points.max_pvalue, 0.05);
  EXPECT_EQ(options.change_points.min_magnitude, 0.02);
  EXPECT_EQ(options.format, ReportFormat::kMarkdown);
  EXPECT_EQ(options.fail_on_worse, 10);
  const auto defaults = Taken<ReportOptions>({"report", "h"});
  EXPECT_EQ(defaults.change_points.window, 50);
  EXPECT_EQ(defaults.change_points.max_pvalue, 0.001);
  EXPECT_EQ(defaults.change_points.min_magnitude, 0);
  EXPECT_EQ(defaults.fail_on_worse, 0);
}

TEST(Options, OfExportAreTaken) {
  const auto options = Taken<ExportOptions>({"export", "--nyrkio", "n", "h", "--otava", "o"});
  EXPECT_EQ(options.history, "h");
  EXPECT_EQ(options.otava_folder, "o");
  EXPECT_EQ(options.nyrkio_folder, "n");
}

TEST(Options, HelpNamesEveryFlag) {
  const std::string help = Taken<Outcome>({"report", "--help"}).output;
  for (const char* flag :
       {"--commit", "--time", "--branch", "--repository", "--format", "--window", "--max-pvalue",
        "--min-magnitude", "--fail-on-worse", "--otava", "--nyrkio", "--help", "--version"}) {
    EXPECT_THAT(help, testing::ContainsRegex(std::string("\n  (--help, )?") + flag)) << flag;
  }
  EXPECT_THAT(Taken<Outcome>({"--version"}).output, HasSubstr("throughput-changes 0."));
}

TEST(Options, AfterTwoDashesAreFiles) {
  EXPECT_EQ(Taken<ReportOptions>({"report", "--", "--odd"}).history, "--odd");
}

TEST(Options, NeedACommandThatExists) {
  ExpectRefused({}, "record, report or export is missing");
  ExpectRefused({"rcord"}, "'rcord': record, report and export are allowed");
}

TEST(Options, RefuseUnknownFlagsAndLeftOvers) {
  ExpectRefused({"report", "h", "--windw", "3"}, "'--windw' is no flag of report");
  ExpectRefused({"report", "h", "-w"}, "'-w' is no flag of report");
  ExpectRefused({"report", "h", "--commit", "x"}, "'--commit' is no flag of report");
  ExpectRefused({"report", "h", "more"}, "report needs one HISTORY and nothing more");
  ExpectRefused({"report"}, "report needs one HISTORY");
  ExpectRefused({"record", "h", "--commit", "a", "--time", "1"}, "at least one RESULT");
  ExpectRefused({"export", "h"}, "export needs --otava FOLDER or --nyrkio FOLDER");
  ExpectRefused({"export", "h", "--otava", "o", "--nyrkio", "o"}, "a folder of its own");
}

TEST(Options, RefuseMissingSwallowedAndRepeatedValues) {
  ExpectRefused({"report", "h", "--window"}, "'--window': a value is missing after it");
  ExpectRefused({"export", "h", "--otava", "--nyrkio"}, "--otava '--nyrkio': a value is missing");
  ExpectRefused({"report", "h", "--format", "json", "--format", "text"}, "--format is given twice");
  ExpectRefused({"export", "h", "--otava", ""}, "--otava '': a value is missing");
  ExpectRefused({"record", "h", "r", "--time", "1"}, "--commit is missing");
  ExpectRefused({"record", "h", "r", "--commit", "a"}, "--time is missing");
}

TEST(Options, RefuseNumbersOutOfRangeOrWithMoreBehindThem) {
  for (const char* value : {"1", "1001", "5x", "1e2", "99999999999999999999", " 5", "0x10"}) {
    ExpectRefused({"report", "h", "--window", value}, "whole numbers from 2 to 1000 are allowed");
  }
  for (const char* value : {"0", "-0.1", "1.01", "nan", "0,5", "1e999", "0.1x"}) {
    ExpectRefused({"report", "h", "--max-pvalue", value},
                  "numbers above 0 and up to 1 are allowed");
  }
  ExpectRefused({"report", "h", "--min-magnitude", "-1"}, "numbers from 0 and up to");
  ExpectRefused({"report", "h", "--min-magnitude", "inf"}, "numbers from 0 and up to");
  ExpectRefused({"report", "h", "--fail-on-worse", "0"}, "whole numbers from 1 to");
  ExpectRefused({"record", "h", "r", "--commit", "a", "--time", "-5"}, "--time '-5'");
  ExpectRefused({"record", "h", "r", "--commit", "a", "--time", "2026-03-01"}, "--time '2026");
}

TEST(Options, RefuseNamesThatWouldNotStayWhole) {
  ExpectRefused({"record", "h", "r", "--commit", "a b", "--time", "1"}, "--commit 'a b'");
  ExpectRefused(Recording({"--branch", "two\nlines"}), "--branch 'two\\nlines'");
  ExpectRefused(Recording({"--branch", std::string(201, 'x')}), "1 to 200 letters");
  ExpectRefused(Recording({"--repository", "a\nb"}), "control characters are not allowed");
  ExpectRefused({"report", "h", "--format", "html"}, "text, markdown and json are allowed");
}

}  // namespace
}  // namespace throughput
