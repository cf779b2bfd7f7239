// The history of this repository's own commits, perf/history.jsonl, and what README shows of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/results/files.h"
#include "tests/results/lines.h"
#include "tests/results/program.h"

namespace throughput {
namespace {

using testing::HasSubstr;

TEST(OwnHistory, IsReportedAsReadmeShowsIt) {
  const auto report = RunProgram({"report", OWN_HISTORY});
  ASSERT_EQ(report.exit_code, 0) << report.errors;
  const auto readme = ReadFile(README);
  ASSERT_TRUE(readme);
  std::string shown;  // as a block of code
  for (const std::string& line : LinesOf(report.output)) {
    shown += line.empty() ? "\n" : "    " + line + "\n";
  }
  EXPECT_THAT(*readme, HasSubstr(shown));
}

TEST(OwnHistory, ShowsTheCommitAtWhichARowBecameCheaper) {
  const auto report = RunProgram({"report", OWN_HISTORY, "--format", "json"});
  ASSERT_EQ(report.exit_code, 0) << report.errors;
  EXPECT_THAT(report.output, HasSubstr("\"commit\": \"1177ec0333\""));
}

}  // namespace
}  // namespace throughput
