// Words become options; what is wrong is named.
#include "apps/throughput-compare/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

CompareOptions Parsed(const std::vector<std::string>& words) {
  const auto request = ParseCommandLine(words);
  if (!request) {
    ADD_FAILURE() << request.error().message;
    return {};
  }
  return std::get<CompareOptions>(*request);
}

std::string Refusal(std::vector<std::string> words) {
  const auto request = ParseCommandLine(words);
  if (request) return "accepted";
  EXPECT_EQ(request.error().exit_code, kExitRefused);
  return request.error().message;
}

TEST(Options, EndAtTheFirstWordThatIsNone) {
  const auto options =
      Parsed({"--noise", "old", "--noise", "-t", "4", "--", "new", "--format", "csv", "--", "x"});
  EXPECT_TRUE(options.noise);
  EXPECT_THAT(options.before, ElementsAre("old", "--noise", "-t", "4"));
  EXPECT_THAT(options.after, ElementsAre("new", "--format", "csv", "--", "x"));
}

TEST(Options, HaveDefaults) {
  const auto options = Parsed({"a", "--", "b"});
  ASSERT_EQ(options.limits.precision.size(), 1);
  EXPECT_EQ(options.limits.precision[0].metric, "rows/s");
  EXPECT_EQ(options.limits.precision[0].percent, 2);
  EXPECT_EQ(options.limits.budget.count(), 120);
  EXPECT_EQ(options.limits.runs, 200);
  EXPECT_EQ(options.format, ReportFormat::kText);
}

TEST(Options, TakeValuesInBothForms) {
  const auto options =
      Parsed({"--budget=1.5", "--runs", "10", "--run-limit", "30", "--format=json", "--precision",
              "5%", "--precision=p99:10", "--fail-on", "worse:instructions/row:1.5%", "--fail-on",
              "worse:p99:20", "a", "--", "b"});
  EXPECT_EQ(options.limits.budget.count(), 1.5);
  EXPECT_EQ(options.limits.runs, 10);
  EXPECT_EQ(options.run_limit.count(), 30);
  EXPECT_EQ(options.format, ReportFormat::kJson);
  ASSERT_EQ(options.limits.precision.size(), 2);
  EXPECT_EQ(options.limits.precision[0].metric, "rows/s");
  EXPECT_EQ(options.limits.precision[1].metric, "p99");
  ASSERT_EQ(options.fail_on.size(), 2);
  EXPECT_EQ(options.fail_on[0].metric, "instructions/row");
  EXPECT_EQ(options.fail_on[0].percent, 1.5);
  EXPECT_THAT(options.limits.needed, ElementsAre("instructions/row", "p99"));
}

TEST(Options, RefuseWithFlagValueAndWhatIsAllowed) {
  EXPECT_THAT(Refusal({}), HasSubstr("BEFORE is missing"));
  EXPECT_THAT(Refusal({"--"}), HasSubstr("BEFORE is missing"));
  EXPECT_THAT(Refusal({"--noise", "--", "b"}), HasSubstr("BEFORE is missing"));
  EXPECT_THAT(Refusal({"a"}), HasSubstr("AFTER is missing"));
  EXPECT_THAT(Refusal({"a", "--"}), HasSubstr("AFTER is missing"));
  EXPECT_THAT(Refusal({"--nose", "a", "--", "b"}), HasSubstr("'--nose' is no flag"));
  EXPECT_THAT(Refusal({"-q", "a", "--", "b"}), HasSubstr("'-q' is no flag"));
  EXPECT_THAT(Refusal({"--noise=1", "a", "--", "b"}), HasSubstr("--noise takes no value"));
  EXPECT_THAT(Refusal({"--runs", "2", "--runs", "2", "a", "--", "b"}), HasSubstr("given twice"));
  EXPECT_THAT(Refusal({"--runs", "--", "b"}), HasSubstr("--runs: a value is missing"));
  EXPECT_THAT(Refusal({"--budget"}), HasSubstr("--budget: a value is missing"));
}

TEST(Options, RefuseNumbersOutOfRange) {
  for (const char* bad : {"1", "10001", "2.5", "x", "", "2x", "-4", "1e3"}) {
    EXPECT_THAT(Refusal({"--runs=" + std::string(bad), "a", "--", "b"}),
                HasSubstr("whole numbers from 2 to 10000"));
  }
  for (const char* bad : {"0", "-1", "nan", "inf", "1e9", "1,5", ""}) {
    EXPECT_THAT(Refusal({"--budget=" + std::string(bad), "a", "--", "b"}), HasSubstr("seconds"));
    EXPECT_THAT(Refusal({"--run-limit=" + std::string(bad), "a", "--", "b"}), HasSubstr("seconds"));
  }
  for (const char* bad : {"0", "0%", "nan", "%", "p99:", ":5", "p99:1001", "2%%"}) {
    EXPECT_THAT(Refusal({"--precision=" + std::string(bad), "a", "--", "b"}),
                HasSubstr("[METRIC:]P%"));
  }
  for (const char* bad : {"p99:1", "worse:1", "worse::1", "worse:p99:0", "better:p99:1", ""}) {
    EXPECT_THAT(Refusal({"--fail-on=" + std::string(bad), "a", "--", "b"}),
                HasSubstr("worse:METRIC:P%"));
  }
  EXPECT_THAT(Refusal({"--format", "html", "a", "--", "b"}),
              HasSubstr("--format 'html': text, markdown and json are allowed"));
}

TEST(Options, PrintHelpAndVersionOnlyInFront) {
  EXPECT_TRUE(std::holds_alternative<Outcome>(*ParseCommandLine({"--help"})));
  EXPECT_TRUE(std::holds_alternative<Outcome>(*ParseCommandLine({"--version"})));
  EXPECT_THAT(Parsed({"a", "--help", "--", "b"}).before, ElementsAre("a", "--help"));
}

}  // namespace
}  // namespace throughput
