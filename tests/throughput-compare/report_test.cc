// The three forms of a comparison.
#include "apps/throughput-compare/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/results/lines.h"
#include "tests/throughput-compare/simulated_machine.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

SideRuns SideOf(const std::vector<double>& instructions, const std::string& hasher) {
  SideRuns side;
  for (const double value : instructions) {
    std::vector<ReadRun> run;
    run.push_back(MadeRun({{"instructions/row", "instructions/row", Better::kLower, value},
                           {"bytes/row", "bytes/row", Better::kLower, 40},
                           {"zeros", "zeros", Better::kLower, 0}},
                          hasher));
    run.front().record.environment.arguments = {"write-throughput", "--hasher", hasher};
    side.AddRun(std::move(run));
  }
  return side;
}

Finding FindingOf(const std::vector<double>& after) {
  Finding finding;
  finding.before = SideOf({194, 194, 194, 194}, "sip13");
  finding.after = SideOf(after, "fx");
  finding.judged = JudgeAll(CollectSamples(finding.before, finding.after)->samples, true);
  finding.end = End::kPrecise;
  finding.runs = 4;
  return finding;
}

CompareOptions OptionsOf(ReportFormat format) {
  CompareOptions options;
  options.before = {"write-throughput", "--hasher", "sip13"};
  options.after = {"write-throughput", "--hasher", "fx"};
  options.format = format;
  return options;
}

std::string Reported(ReportFormat format) {
  return FormatReport({std::nullopt, FindingOf({120, 120, 120, 120})}, OptionsOf(format));
}

TEST(Report, AsTextHasEveryMetricWithItsVerdict) {
  const std::string text = Reported(ReportFormat::kText);
  EXPECT_THAT(text, StartsWith("before: write-throughput --hasher sip13\n"
                               "after:  write-throughput --hasher fx\n"));
  EXPECT_THAT(text,
              HasSubstr("4 runs a side, in turn (ABBA), until rows/s within 2 % was reached"));
  EXPECT_THAT(text, HasSubstr("-38.1 %  -38.2 % to -38.1 %"));
  EXPECT_THAT(text, HasSubstr("hasher=sip13 -> Burin"));
  EXPECT_THAT(text, HasSubstr("no difference seen (0.072 % would"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(Report, AsMarkdownHasTheTableAndBothBlocks) {
  const std::string text = Reported(ReportFormat::kMarkdown);
  EXPECT_THAT(text, HasSubstr("| metric | before | after | change | interval | verdict |\n"
                              "|---|---:|---:|---:|---|---|\n"
                              "| instructions/row | 194.0 | 120.0 | -38.1 % |"));
  EXPECT_THAT(text, HasSubstr("| **better** |"));
  EXPECT_THAT(text, HasSubstr("stats for 'write-throughput --hasher sip13' (4 runs)"));
  EXPECT_THAT(text, HasSubstr("stats for 'write-throughput --hasher fx' (4 runs)"));
}

TEST(Report, AsJsonHasEveryFigureAndNoNan) {
  const auto json = nlohmann::json::parse(Reported(ReportFormat::kJson));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["before"][2], "sip13");
  EXPECT_TRUE(json["noise"].is_null());
  EXPECT_EQ(json["comparison"]["ended"], "precision");
  const auto& metrics = json["comparison"]["metrics"];
  ASSERT_EQ(metrics.size(), 3);
  EXPECT_EQ(metrics[0]["verdict"], "better");
  EXPECT_NEAR(metrics[0]["change_percent"], -38.14, 0.01);
  EXPECT_EQ(metrics[0]["values_before"].size(), 4);
  EXPECT_EQ(metrics[1]["verdict"], "no difference seen");
  EXPECT_GT(metrics[1]["smallest_percent"], 0);
  EXPECT_TRUE(metrics[2]["change_percent"].is_null());  // of nothing
  EXPECT_EQ(metrics[2]["pvalue"], 1);
}

TEST(Report, PutsTheNoiseFirst) {
  const Comparison comparison{FindingOf({194, 194, 194, 194}), FindingOf({120, 120, 120, 120})};
  const auto text = FormatReport(comparison, OptionsOf(ReportFormat::kText));
  EXPECT_LT(text.find("noise: before against itself"), text.find("before against after;"));
  EXPECT_THAT(text, Not(HasSubstr("differs from itself")));
  const auto json = nlohmann::json::parse(FormatReport(comparison, OptionsOf(ReportFormat::kJson)));
  EXPECT_EQ(json["noise"]["metrics"][0]["verdict"], "no difference seen");
}

TEST(Report, WarnsWhereBeforeDiffersFromItself) {
  const Comparison comparison{FindingOf({120, 120, 120, 120}), FindingOf({120, 120, 120, 120})};
  EXPECT_THAT(FormatReport(comparison, OptionsOf(ReportFormat::kText)),
              HasSubstr("BEFORE differs from itself"));
}

TEST(Report, SaysThatTwoRunsSetNoBound) {
  Finding finding;
  finding.judged = JudgeAll(
      {{"a test", "a test", "rows/s", "rows/s", Better::kHigher, {1e3, 2e5}, {3e5, 1e2}}}, true);
  CompareOptions options = OptionsOf(ReportFormat::kText);
  const std::string text = FormatReport({std::nullopt, finding}, options);
  EXPECT_THAT(text, HasSubstr("-100.0 % to unbounded"));
  EXPECT_THAT(text, HasSubstr("not enough runs"));
  options.format = ReportFormat::kMarkdown;
  EXPECT_THAT(FormatReport({std::nullopt, finding}, options),
              HasSubstr("| -100.0 % to unbounded | not enough runs |"));
  options.format = ReportFormat::kJson;
  const auto json = nlohmann::json::parse(FormatReport({std::nullopt, finding}, options));
  const auto& metric = json["comparison"]["metrics"][0];
  EXPECT_EQ(metric["low_percent"], -100);
  EXPECT_TRUE(metric["high_percent"].is_null());
  EXPECT_TRUE(metric["smallest_percent"].is_null());
  EXPECT_EQ(metric["verdict"], "not enough runs");
}

TEST(Report, KeepsItsColumnsHoweverLongAUnitIs) {
  Finding finding;
  const Sample callgrind{"a test",
                         "a test",
                         "instructions/row",
                         "instructions:u/row (callgrind)",
                         Better::kLower,
                         {194, 194, 194, 194},
                         {120, 120, 120, 120}};
  const Sample p99{"a test", "a test", "p99", "us", Better::kLower, {1, 1, 1, 1}, {2, 2, 2, 2}};
  finding.judged = JudgeAll({callgrind, p99}, true);
  CompareOptions options = OptionsOf(ReportFormat::kText);
  const std::string text = FormatReport({std::nullopt, finding}, options);
  const auto head = LineWith(text, "verdict");
  EXPECT_EQ(LineWith(text, "(callgrind)").find("better"), head.find("verdict"));
  EXPECT_EQ(LineWith(text, "p99").find("worse"), head.find("verdict"));
  options.format = ReportFormat::kMarkdown;
  const std::string markdown = FormatReport({std::nullopt, finding}, options);
  EXPECT_THAT(markdown, HasSubstr("| instructions:u/row (callgrind) | 194.0 |"));
  EXPECT_THAT(markdown, HasSubstr("| p99 (us) |"));
}

TEST(Report, SaysWhatEndedTheRuns) {
  Finding finding = FindingOf({120, 120, 120, 120});
  const auto text = [&](End end) {
    finding.end = end;
    return FormatReport({std::nullopt, finding}, OptionsOf(ReportFormat::kText));
  };
  EXPECT_THAT(text(End::kBudget), HasSubstr("120 s were spent before rows/s within 2 %"));
  EXPECT_THAT(text(End::kRuns), HasSubstr("as many as were allowed"));
  EXPECT_THAT(text(End::kInterrupted),
              HasSubstr("4 runs a side, in turn (ABBA), then interrupted"));
  EXPECT_THAT(text(End::kRecorded), HasSubstr("runs recorded earlier"));
}

TEST(Report, HidesTheConnectionStringOfAServer) {
  for (const auto format : {ReportFormat::kText, ReportFormat::kJson}) {
    CompareOptions options = OptionsOf(format);
    options.before = {"write-throughput", "--engine-option", "dsn=host=h password=S3cret"};
    options.after = {"write-throughput", "--engine-option=dsn=postgresql://u:S3cret@h/d"};
    const std::string text = FormatReport({std::nullopt, FindingOf({120, 120, 120, 120})}, options);
    EXPECT_THAT(text, AllOf(HasSubstr("dsn=(hidden)"), Not(HasSubstr("S3cret"))));
  }
}

TEST(Report, KeepsNamesFromBreakingItsLinesAndTables) {
  CompareOptions options = OptionsOf(ReportFormat::kText);
  options.before.emplace_back("a\nb\x1b[2J");
  Finding finding = FindingOf({120, 120, 120, 120});
  for (Judged& judged : finding.judged) judged.sample.test_before = "a|b\n";
  const Comparison comparison{std::nullopt, finding};
  EXPECT_THAT(FormatReport(comparison, options), HasSubstr("sip13 a\\nb\\x1b[2J\n"));
  options.format = ReportFormat::kMarkdown;
  EXPECT_THAT(FormatReport(comparison, options), HasSubstr("a\\|b\\\\n -\\> Burin"));
}

}  // namespace
}  // namespace throughput
