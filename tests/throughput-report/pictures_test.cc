// What the pictures over a sweep show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/throughput-report/load_pictures.h"
#include "apps/throughput-report/open_loop.h"
#include "tests/throughput-report/runs.h"

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(ThreadScaling, HasALineForEachSeriesWithTheSpreadOfRepeats) {
  const auto pictures =
      ThreadScaling(Studied({RunAt(1, 0, 10), RunAt(1, 0, 14), RunAt(1, 0, 11), RunAt(2, 0, 20),
                             RunAt(1, 0, 30, "mvcc"), RunAt(2, 0, 40, "mvcc")}));
  ASSERT_THAT(pictures, SizeIs(1));
  EXPECT_EQ(pictures[0].title, "100 rows per transaction, no compute");
  ASSERT_THAT(pictures[0].lines, SizeIs(2));
  const Line& line = pictures[0].lines[0];
  EXPECT_EQ(line.label, "Burin legacy");
  ASSERT_THAT(line.points, SizeIs(2));
  EXPECT_EQ(line.points[0].x, 1);
  EXPECT_EQ(line.points[0].y.median, 11);
  EXPECT_EQ(line.points[0].y.low, 10);
  EXPECT_EQ(line.points[0].y.high, 14);
  EXPECT_EQ(line.points[1].y.runs, 1u);
}

TEST(ThreadScaling, HasAPictureForEachCompute) {
  const auto pictures = ThreadScaling(Studied(
      {RunAt(1, 0, 10), RunAt(2, 0, 20), RunAt(1, 100, 5), RunAt(2, 100, 9), RunAt(1, 500, 2)}));
  ASSERT_THAT(pictures, SizeIs(2));  // a single point at 500 is no line
  EXPECT_EQ(pictures[1].title, "100 rows per transaction, 100 µs of compute");
  EXPECT_EQ(pictures[1].name, "thread-scaling-2");
}

TEST(ThreadScaling, NeedsTwoThreadCounts) {
  EXPECT_THAT(ThreadScaling(Studied({RunAt(1, 0, 10), RunAt(1, 100, 10)})), SizeIs(0));
}

TEST(ThreadScaling, IsLogarithmicWhereALineWouldLieFlat) {
  EXPECT_FALSE(ThreadScaling(Studied({RunAt(1, 0, 10), RunAt(2, 0, 200)}))[0].y.logarithmic);
  EXPECT_TRUE(ThreadScaling(Studied({RunAt(1, 0, 10), RunAt(2, 0, 400)}))[0].y.logarithmic);
  EXPECT_FALSE(ThreadScaling(Studied({RunAt(1, 0, 0), RunAt(2, 0, 400)}))[0].y.logarithmic);
}

TEST(ComputeImpact, HasComputeAcrossAndAPictureForEachThreadCount) {
  const auto pictures = ComputeImpact(Studied({RunAt(4, 0, 10), RunAt(4, 100, 9), RunAt(1, 0, 5)}));
  ASSERT_THAT(pictures, SizeIs(1));
  EXPECT_EQ(pictures[0].title, "100 rows per transaction, 4 threads");
  EXPECT_EQ(pictures[0].lines[0].points[1].x, 100);
}

TEST(LatencyPercentiles, AreInMillisecondsAtTheLowestCompute) {
  const auto pictures = LatencyPercentiles(Studied({RunAt(1, 100, 10), RunAt(1, 500, 10)}));
  ASSERT_THAT(pictures, SizeIs(1));
  EXPECT_EQ(pictures[0].title, "1 thread, 100 rows per transaction, 100 µs of compute");
  const auto& points = pictures[0].lines[0].points;
  ASSERT_THAT(points, SizeIs(3));  // p50, p90 and max of ten commits
  EXPECT_NEAR(points[0].y.median, 0.08, 0.0001);
  EXPECT_EQ(points[1].x, 1);
  EXPECT_EQ(points[2].x, 4);
  EXPECT_EQ(points[2].y.median, 0.2);
}

TEST(LatencyPercentiles, NeedACommitBeyondThem) {
  metrics::ResultRecord run = RunAt(1, 0, 10);
  run.commit_latency_ns.Record(90'000, 989);
  EXPECT_THAT(LatencyPercentiles(Studied({run}))[0].lines[0].points, SizeIs(4));  // no p99.9
  run.commit_latency_ns.Record(90'000);
  EXPECT_THAT(LatencyPercentiles(Studied({run}))[0].lines[0].points, SizeIs(5));
}

TEST(LatencyPercentiles, OfRunsWithoutTransactionsAreNotDrawn) {
  metrics::ResultRecord run = RunAt(1, 0, 10);
  run.commit_latency_ns = {};
  EXPECT_THAT(LatencyPercentiles(Studied({run})), SizeIs(0));
}

metrics::ResultRecord OpenLoopRun(bool saturated) {
  metrics::ResultRecord run = RunAt(1, 0, 10'000);
  run.open_loop = metrics::OpenLoop{150, {}, 7, 3, saturated};
  run.open_loop->service_ns.Record(50'000, 10);
  return run;
}

TEST(LatencyPercentiles, OfOpenLoopsStandApartAndSayWhereTheyBegin) {
  const auto pictures = LatencyPercentiles(Studied({RunAt(1, 0, 10), OpenLoopRun(false)}));
  ASSERT_THAT(pictures, SizeIs(2));
  EXPECT_EQ(pictures[0].name, "latency-1");
  EXPECT_EQ(pictures[0].y.label, "commit latency, ms");
  EXPECT_EQ(pictures[1].name, "latency-open-loop-1");
  EXPECT_EQ(pictures[1].title, "1 thread, 100 rows per transaction, no compute, open loop");
  EXPECT_EQ(pictures[1].y.label, "from intended start, ms");
}

TEST(OpenLoops, AreATableOfServiceTimeBacklogAndSaturation) {
  const Table table =
      OpenLoopTable(Studied({RunAt(1, 0, 10), OpenLoopRun(false), OpenLoopRun(true)}));
  ASSERT_THAT(table.rows, SizeIs(1));
  ASSERT_EQ(table.rows[0].size(), table.header.size());
  EXPECT_THAT(
      table.rows[0],
      ElementsAre("Burin rate 150, 1 thread, 100 rows per transaction, no compute", "2", "150",
                  "100.0", "0.08006", "0.2", "0.05", "0.05", "7", "3", "1 of 2 runs"));
  EXPECT_EQ(OpenLoopTable(Studied({OpenLoopRun(true)})).rows[0].back(), "yes");
  EXPECT_EQ(OpenLoopTable(Studied({OpenLoopRun(false)})).rows[0].back(), "no");
  EXPECT_THAT(OpenLoopTable(Studied({RunAt(1, 0, 10)})).rows, SizeIs(0));
}

TEST(InstructionsPerRow, HasABarForEachSeriesAtTheFewestThreads) {
  metrics::ResultRecord cheap = RunAt(1, 0, 10, "mvcc");
  cheap.counters[0].value = 90'000;
  const auto pictures = InstructionsPerRow(Studied({RunAt(2, 0, 9), RunAt(1, 0, 10), cheap}));
  ASSERT_THAT(pictures, SizeIs(1));
  EXPECT_EQ(pictures[0].title, "1 thread, 100 rows per transaction, no compute");
  ASSERT_THAT(pictures[0].lines, SizeIs(2));
  EXPECT_EQ(pictures[0].lines[0].points[0].y.median, 120);
  EXPECT_EQ(pictures[0].lines[1].points[0].y.median, 90);
}

TEST(InstructionsPerRow, NeedCountedInstructions) {
  metrics::ResultRecord run = RunAt(1, 0, 10);
  run.counters[0].status = metrics::CounterStatus::kNotSupported;
  EXPECT_THAT(InstructionsPerRow(Studied({run})), SizeIs(0));
}

TEST(PictureTable, HasEveryPointAndNoSpreadOfASingleRun) {
  const auto pictures =
      ThreadScaling(Studied({RunAt(1, 0, 10'500), RunAt(1, 0, 12'500), RunAt(2, 0, 1'234'567)}));
  const Table table = TableOf(pictures[0]);
  EXPECT_THAT(table.header,
              ElementsAre("series", "threads", "runs", "median, rows/s", "lowest", "highest"));
  EXPECT_THAT(table.rows, ElementsAre(ElementsAre("Burin", "1", "2", "11,500", "10,500", "12,500"),
                                      ElementsAre("Burin", "2", "1", "1,234,567", "–", "–")));
}

}  // namespace
}  // namespace throughput
