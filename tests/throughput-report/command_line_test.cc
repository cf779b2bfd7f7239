// The program as a user runs it, over recorded results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "metrics/result_record.h"
#include "tests/results/made_record.h"
#include "tests/results/program.h"
#include "tests/results/scratch_folder.h"
#include "tests/throughput-report/runs.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string kSweep = REPORT_VECTORS "/sweep.json";
const std::string kOverTime = REPORT_VECTORS "/over-time.json";

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ThroughputReport, MakesAPageOfARecordedSweep) {
  const ScratchFolder folder;
  const std::string page = folder.Path("report.html");
  const auto result = RunProgram({kSweep, kOverTime, "-o", page, "--scaling"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("report.html: 17 cells, "));
  EXPECT_THAT(result.output, HasSubstr("Few points: 4 thread counts"));
  EXPECT_EQ(CountOf(result.output, "\n"), 5u);  // for each sweep, and the run of another length
  const std::string html = folder.Read("report.html");
  EXPECT_THAT(html, AllOf(HasSubstr("id=\"thread-scaling-1\""),
                          HasSubstr("id=\"compute-impact-1\""), HasSubstr("id=\"latency-1\""),
                          HasSubstr("id=\"over-time-1\""), HasSubstr("id=\"cpu-time-per-row-1\""),
                          HasSubstr("id=\"scaling-law-1\""), EndsWith("</html>\n")));
  EXPECT_EQ(CountOf(html, "<figure"), CountOf(html, "<svg role=\"img\""));
  EXPECT_THAT(folder.Names(), ElementsAre("report.html"));
}

TEST(ThroughputReport, TheSameResultsMakeTheSamePageInEveryLocale) {
  const ScratchFolder folder;
  ASSERT_EQ(RunProgram({kSweep, "-o", folder.Path("a")}, {{}, {{"LC_ALL", "C"}}}).exit_code, 0);
  ASSERT_EQ(
      RunProgram({kSweep, "-o", folder.Path("b")}, {{}, {{"LC_ALL", "de_DE.UTF-8"}}}).exit_code, 0);
  EXPECT_EQ(folder.Read("a"), folder.Read("b"));
}

TEST(ThroughputReport, WritesThePicturesAlone) {
  const ScratchFolder folder;
  for (const std::string ending : {"svg", "png", "pdf"}) {
    const auto result =
        RunProgram({kSweep, "--plots", folder.Path(ending), "--plot-format", ending});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, IsEmpty());
    EXPECT_THAT(folder.Read(ending + "/thread-scaling-1." + ending), Not(IsEmpty()));
  }
}

TEST(ThroughputReport, ScalingAloneNeedsNoPlotter) {
  const ScratchFolder folder;
  const auto result = RunProgram({kSweep, "--scaling"}, {{}, {{"PATH", folder.Path("")}}});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(CountOf(result.output, "\n"), 4u);
}

TEST(ThroughputReport, NamesTheMissingPlotterAndWritesNothing) {
  const ScratchFolder folder;
  const auto result =
      RunProgram({kSweep, "-o", folder.Path("p.html"), "--plots", folder.Path("plots")},
                 {{}, {{"PATH", folder.Path("")}}});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors,
            "throughput-report: gnuplot is missing, and pictures need it: apt-get install "
            "gnuplot-nox\n");
  EXPECT_THAT(folder.Names(), IsEmpty());
}

// And the old page as it was.
void ExpectContentsRefused(const std::string& contents, const std::string& reason) {
  const ScratchFolder folder;
  const std::string page = folder.Write("p.html", "old");
  const auto result = RunProgram(
      {folder.Write("r.json", contents), "-o", page, "--scaling", "--plots", folder.Path("plots")});
  ExpectRefused(result, reason);
  EXPECT_EQ(folder.Read("p.html"), "old");
  EXPECT_THAT(folder.Names(), ElementsAre("p.html", "r.json"));
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ThroughputReport, RefusesBadResultsInOneLine) {
  const std::string good = metrics::ToJson(MadeRecord());
  ExpectContentsRefused("", "is empty: it holds no result");
  ExpectContentsRefused("\n", "is empty: it holds no result");
  ExpectContentsRefused(Replaced(good, "\"threads\":1", "\"threads\":0"),
                        "line 1: threads is 0: 1 to");
  ExpectContentsRefused(good.substr(0, good.size() / 2), "line 1: ");
  ExpectContentsRefused(good + "\n" + good.substr(0, 40), "line 2: ");
  ExpectContentsRefused(Replaced(good, "\"schema_version\":1", "\"schema_version\":99"), "99");
  ExpectContentsRefused(Replaced(good, "\"rows_per_second\":100000.0", "\"rows_per_second\":NaN"),
                        "line 1: ");
  ExpectContentsRefused(Replaced(good, "\"rows_per_second\":100000.0", "\"rows_per_second\":null"),
                        "rows_per_second");
  ExpectContentsRefused(good + "\n" + good + "\n", "the same run as");
  metrics::ResultRecord user = RunAt(2, 0, 9);
  user.counters[0].modifiers = "u";
  ExpectContentsRefused(good + "\n" + metrics::ToJson(user), "report them apart");
  metrics::ResultRecord interrupted = MadeRecord();
  interrupted.interrupted = true;
  ExpectContentsRefused(metrics::ToJson(interrupted), "the run was interrupted");
}

TEST(ThroughputReport, RefusesTargetsThatItMustNotTouch) {
  const ScratchFolder folder;
  const std::string results = folder.Write("r.json", metrics::ToJson(MadeRecord()));
  auto result = RunProgram({results, "-o", results});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("is one of the results"));
  EXPECT_THAT(folder.Read("r.json"), StartsWith("{\"schema_version\""));
  result = RunProgram({results, "-o", "/dev/null"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("not a regular file"));
  result = RunProgram({results, "-o", folder.Path("no/p.html")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("its folder is not there"));
  folder.Write("p.html", "");
  result = RunProgram({results, "--plots", folder.Path("p.html")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(folder.Names(), ElementsAre("p.html", "r.json"));
}

TEST(ThroughputReport, MakesAPageOfASingleRun) {
  const ScratchFolder folder;
  const std::string results = folder.Write("r.json", metrics::ToJson(MadeRecord()));
  const auto result = RunProgram({results, "-o", folder.Path("p.html"), "--scaling"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("no fit: 1 thread count, and it takes 4 or more"));
  EXPECT_THAT(folder.Read("p.html"), AllOf(HasSubstr("Every cell was run once"),
                                           HasSubstr("id=\"instructions-per-row-1\"")));
}

TEST(ThroughputReport, AFullDiskIsAnErrorAndLeavesTheOldPage) {
  const ScratchFolder folder;
  EXPECT_EQ(RunProgram({kSweep, "--scaling"}, {"/dev/full"}).exit_code, 1);
  folder.Write("p.html", "old");
  const auto result = RunProgram({kSweep, "-o", folder.Path("p.html")}, {{}, {}, 40'000});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(folder.Read("p.html"), "old");
  EXPECT_THAT(folder.Names(), Each(testing::Not(HasSubstr("partial"))));
}

}  // namespace
}  // namespace throughput
