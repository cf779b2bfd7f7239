// Which changes are found over a timeline, and what is said of them.
#include "apps/throughput-changes/analysis.h"

#include <gtest/gtest.h>

#include <cstddef>

#include "tests/throughput-changes/made_history.h"

namespace throughput {
namespace {

std::vector<double> Step(size_t before, double low, size_t after, double high) {
  std::vector<double> values(before, low);
  values.insert(values.end(), after, high);
  return values;
}

Analysis AnalysisOf(const std::vector<RecordedRun>& runs) { return Analyze(TimelineOf(runs), {}); }

TEST(Analysis, NamesTheCommitOfTheNewLevelAndTheOneBefore) {
  const Analysis analysis = AnalysisOf(MadeRuns(Step(10, 100, 6, 110)));
  ASSERT_EQ(analysis.changes.size(), 1);
  EXPECT_EQ(analysis.commits[analysis.changes[0].commit].id, "c10");
  EXPECT_EQ(analysis.commits[analysis.changes[0].previous_commit].id, "c9");
  EXPECT_FALSE(analysis.changes[0].FewCommits());
}

TEST(Analysis, KnowsBetterFromWorse) {
  auto runs = MadeRuns(Step(10, 100, 10, 110));
  for (RecordedRun& run : runs) {
    run.metrics.push_back(
        {"instructions/row", "instructions/row", Better::kLower, run.metrics[0].value});
  }
  const Analysis analysis = AnalysisOf(runs);
  ASSERT_EQ(analysis.changes.size(), 2);
  EXPECT_TRUE(analysis.changes[0].for_better);
  EXPECT_FALSE(analysis.changes[1].for_better);
}

TEST(Analysis, SkipsCommitsThatLackTheMetricWhenItNamesTheCommit) {
  auto runs = MadeRuns(std::vector<double>(20, 100));
  for (size_t i = 0; i < runs.size(); i += 2) {
    runs[i].metrics.push_back({"p50", "us", Better::kLower, i < 12 ? 80.0 : 90.0});
  }
  const Analysis analysis = AnalysisOf(runs);
  ASSERT_EQ(analysis.changes.size(), 1);
  EXPECT_EQ(analysis.changes[0].point.index, 6);
  EXPECT_EQ(analysis.commits[analysis.changes[0].commit].id, "c12");
  EXPECT_EQ(analysis.commits[analysis.changes[0].previous_commit].id, "c10");
}

TEST(Analysis, SaysWhereFewCommitsStandBehindAPoint) {
  EXPECT_TRUE(AnalysisOf(MadeRuns(Step(10, 100, 4, 110))).changes.at(0).FewCommits());
  EXPECT_TRUE(AnalysisOf(MadeRuns(Step(4, 100, 10, 110))).changes.at(0).FewCommits());
}

TEST(Analysis, SaysWhereTheMachineChangedWithTheCommit) {
  auto runs = MadeRuns(Step(10, 100, 10, 110));
  EXPECT_FALSE(AnalysisOf(runs).changes.at(0).machine_changed);
  for (size_t i = 10; i < runs.size(); ++i) runs[i].machine = "another machine";
  EXPECT_TRUE(AnalysisOf(runs).changes.at(0).machine_changed);
}

TEST(Analysis, CountsTestsMetricsAndThoseTooShort) {
  auto runs = MadeRuns({1, 2, 3});
  runs[2].metrics.push_back({"p50", "us", Better::kLower, 80});
  runs.push_back(MadeRun(2, 4, "SQLite threads=1"));
  const Analysis analysis = AnalysisOf(runs);
  EXPECT_EQ(analysis.tests, 2);
  EXPECT_EQ(analysis.metrics, 3);
  EXPECT_EQ(analysis.short_metrics, 2);
}

TEST(Analysis, OrdersChangesByCommit) {
  auto runs = MadeRuns(Step(20, 100, 10, 110));
  for (int i = 0; i < 30; ++i) {
    RecordedRun other = MadeRun(i, i < 10 ? 5 : 6, "SQLite threads=1");
    runs.insert(runs.begin() + std::ptrdiff_t{2} * i + 1, other);
  }
  const Analysis analysis = AnalysisOf(runs);
  ASSERT_EQ(analysis.changes.size(), 2);
  EXPECT_EQ(analysis.changes[0].test, "SQLite threads=1");
  EXPECT_EQ(analysis.changes[1].test, "Burin threads=1");
}

TEST(Analysis, CountsWhatBecameWorseAmongTheNewestCommits) {
  const Analysis analysis = AnalysisOf(MadeRuns(Step(10, 100, 6, 90)));
  EXPECT_EQ(CountWorse(analysis, 5), 0);
  EXPECT_EQ(CountWorse(analysis, 6), 1);
  EXPECT_EQ(CountWorse(analysis, 1000), 1);
  EXPECT_EQ(CountWorse(AnalysisOf(MadeRuns(Step(10, 100, 6, 110))), 6), 0);
}

}  // namespace
}  // namespace throughput
