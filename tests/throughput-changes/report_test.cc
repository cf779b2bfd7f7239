// The three forms of the report, to the letter where people read them.
#include "apps/throughput-changes/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/throughput-changes/made_history.h"

namespace throughput {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<RecordedRun> OneGain() {
  std::vector<RecordedRun> runs;
  for (int i = 0; i < 16; ++i) runs.push_back(MadeRun(i, (i < 12 ? 100'000 : 105'000) + i % 3));
  return runs;
}

std::string Report(const std::vector<RecordedRun>& runs, ReportFormat format) {
  return FormatReport(Analyze(TimelineOf(runs), {}), format);
}

TEST(Report, AsTextSaysCommitSizeSignificanceAndStanding) {
  EXPECT_EQ(
      Report(OneGain(), ReportFormat::kText),
      "1 change / 1 test & 1 metric over 16 commits, c0 (2023-11-14) to c15 (2023-11-29)\n"
      "\n"
      "commit c12 (2023-11-26)\n"
      "  Burin threads=1\n"
      "    rows/s                +5.00 %  better  100001 -> 105001 rows/s, p = 1e-49; "
      "12 commits before, 4 after (few)\n"
      "\n"
      "A change needs several commits on either side to show: one in the newest commits may "
      "not show yet.\n"
      "1 change with fewer than 5 commits on a side may move or vanish as more are recorded.\n");
}

TEST(Report, WithoutChangesStillSaysWhatItTakes) {
  EXPECT_EQ(Report(MadeRuns({1, 2}), ReportFormat::kText),
            "0 changes / 1 test & 1 metric over 2 commits, c0 (2023-11-14) to c1 (2023-11-15)\n"
            "\n"
            "A change needs several commits on either side to show: one in the newest commits may "
            "not show yet.\n"
            "Too short to show a change, with fewer than 3 commits: 1 of 1 metric.\n");
}

TEST(Report, AsMarkdownIsATableWhoseCellsHold) {
  auto runs = OneGain();
  for (RecordedRun& run : runs) run.test = "a|b <i>";
  EXPECT_THAT(Report(runs, ReportFormat::kMarkdown),
              HasSubstr("\n| c12 | 2023-11-26 | a\\|b \\<i\\> | rows/s | +5.00 % | better | "
                        "100001 -\\> 105001 rows/s | p = 1e-49 | 12 commits before, 4 after "
                        "(few) |\n"));
  EXPECT_THAT(Report(MadeRuns({1, 2}), ReportFormat::kMarkdown), Not(HasSubstr("|")));
}

TEST(Report, AsJsonCarriesTheFiguresWhole) {
  const auto json = nlohmann::json::parse(Report(OneGain(), ReportFormat::kJson));
  EXPECT_EQ(json.at("schema_version"), kReportVersion);
  EXPECT_EQ(json.at("tests"), 1);
  EXPECT_EQ(json.at("commits"), 16);
  const auto& change = json.at("changes").at(0);
  EXPECT_EQ(change.at("commit"), "c12");
  EXPECT_EQ(change.at("previous_commit"), "c11");
  EXPECT_EQ(change.at("verdict"), "better");
  EXPECT_EQ(change.at("mean_before"), 100'001);
  EXPECT_EQ(change.at("commits_after"), 4);
  EXPECT_EQ(change.at("few_commits"), true);
}

TEST(Report, OfAChangeFromNothingHasNoPercentage) {
  std::vector<double> values(10, 0);
  values.resize(20, 1);
  EXPECT_THAT(Report(MadeRuns(values), ReportFormat::kText), HasSubstr("from 0  better"));
  const auto json = nlohmann::json::parse(Report(MadeRuns(values), ReportFormat::kJson));
  EXPECT_TRUE(json.at("changes").at(0).at("change_percent").is_null());
}

TEST(Report, WarnsWhereTheMachineChangedToo) {
  auto runs = OneGain();
  for (size_t i = 12; i < runs.size(); ++i) runs[i].machine = "another machine";
  const std::string text = Report(runs, ReportFormat::kText);
  EXPECT_THAT(text, HasSubstr("; the machine changed, too\n"));
  EXPECT_THAT(text, HasSubstr("it may be all that changed."));
  EXPECT_THAT(Report(runs, ReportFormat::kMarkdown), HasSubstr("better, machine changed"));
}

TEST(Report, KeepsNamesFromOutsideOnTheirLine) {
  auto runs = OneGain();
  for (RecordedRun& run : runs) run.test = "two\nlines\x1b[31m";
  EXPECT_THAT(Report(runs, ReportFormat::kText), HasSubstr("  two\\nlines\\x1b[31m\n"));
}

}  // namespace
}  // namespace throughput
