// The files for other programs. otava_test.py feeds the same to Otava itself.
#include "apps/throughput-changes/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/throughput-changes/made_history.h"

namespace throughput {
namespace {

using testing::HasSubstr;

TEST(OtavaExport, IsOneTableForATestAndItsConfiguration) {
  auto runs = MadeRuns({100000.5, 2});
  for (RecordedRun& run : runs) run.metrics.push_back({"p50", "us", Better::kLower, 0.1});
  const auto files = OtavaFiles(TimelineOf(runs));
  ASSERT_EQ(files.size(), 2);
  EXPECT_EQ(files[0].name, "otava.yaml");
  EXPECT_THAT(files[0].contents, HasSubstr("tests:\n"
                                           "  \"Burin threads=1\":\n"
                                           "    type: csv\n"
                                           "    file: \"001-burin-threads-1.csv\"\n"
                                           "    time_column: time\n"
                                           "    attributes: [commit]\n"
                                           "    metrics:\n"
                                           "      \"rows/s\":\n"
                                           "        column: \"rows/s\"\n"
                                           "        direction: 1\n"
                                           "      \"p50\":\n"
                                           "        column: \"p50\"\n"
                                           "        direction: -1\n"));
  EXPECT_EQ(files[1].name, "001-burin-threads-1.csv");
  EXPECT_EQ(files[1].contents,
            "time,commit,rows/s,p50\n"
            "2023-11-14T22:13:20+00:00,c0,100000.5,0.1\n"
            "2023-11-15T22:13:20+00:00,c1,2,0.1\n");
}

TEST(OtavaExport, GivesMetricsThatSomeCommitsLackATableOfTheirOwn) {
  auto runs = MadeRuns({1, 2, 3});
  for (const size_t i : {1, 2}) {
    runs[i].metrics.push_back({"p50", "us", Better::kLower, 80});
    runs[i].metrics.push_back({"p99", "us", Better::kLower, 90});
  }
  const auto files = OtavaFiles(TimelineOf(runs));
  ASSERT_EQ(files.size(), 3);
  EXPECT_THAT(files[0].contents, HasSubstr("  \"Burin threads=1 p50\":\n"));
  EXPECT_THAT(files[1].contents, testing::StartsWith("time,commit,rows/s\n"));
  EXPECT_EQ(files[2].contents,
            "time,commit,p50,p99\n"
            "2023-11-15T22:13:20+00:00,c1,80,90\n"
            "2023-11-16T22:13:20+00:00,c2,80,90\n");
}

TEST(OtavaExport, QuotesWhatCsvAndYamlWouldMisread) {
  auto runs = MadeRuns({1});
  runs[0].test = "a: \"b\" # c\xc3\xa9";
  runs[0].commit = "one,\"two\"";
  const auto files = OtavaFiles(TimelineOf(runs));
  EXPECT_THAT(files[0].contents, HasSubstr("  \"a: \\\"b\\\" # c\xc3\xa9\":\n"));
  EXPECT_THAT(files[1].contents, HasSubstr(",\"one,\"\"two\"\"\",1\n"));
}

TEST(OtavaExport, GivesTestsThatSoundAlikeFilesOfTheirOwn) {
  const auto files = OtavaFiles(TimelineOf({MadeRun(0, 1, "a=1"), MadeRun(0, 1, "a-1")}));
  ASSERT_EQ(files.size(), 3);
  EXPECT_NE(files[1].name, files[2].name);
}

TEST(NyrkioExport, IsOneFileForATestWithOneResultForACommit) {
  auto runs = MadeRuns({1, 2});
  runs[1].metrics.push_back({"p50", "us", Better::kLower, 80.5});
  const auto files = NyrkioFiles(TimelineOf(runs));
  ASSERT_EQ(files.size(), 1);
  EXPECT_EQ(files[0].name, "001-burin-threads-1.json");
  const auto wanted = nlohmann::json::parse(R"([
    {"timestamp": 1700000000,
     "metrics": [{"name": "rows/s", "unit": "rows/s", "value": 1.0}],
     "attributes": {"git_repo": "https://example.org/engine", "branch": "main",
                    "git_commit": "c0"}},
    {"timestamp": 1700086400,
     "metrics": [{"name": "rows/s", "unit": "rows/s", "value": 2.0},
                 {"name": "p50", "unit": "us", "value": 80.5}],
     "attributes": {"git_repo": "https://example.org/engine", "branch": "main",
                    "git_commit": "c1"}}])");
  EXPECT_EQ(nlohmann::json::parse(files[0].contents), wanted);
}

TEST(NyrkioExport, LeavesOutCommitsThatLackTheTest) {
  const auto files = NyrkioFiles(TimelineOf({MadeRun(0, 1, "a"), MadeRun(1, 2, "b")}));
  ASSERT_EQ(files.size(), 2);
  EXPECT_EQ(nlohmann::json::parse(files[1].contents).size(), 1);
}

}  // namespace
}  // namespace throughput
