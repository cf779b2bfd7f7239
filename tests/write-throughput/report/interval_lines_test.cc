#include "apps/write-throughput/report/interval_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/write-throughput/report/records.h"

namespace throughput {
namespace {

using metrics::ResultRecord;
using testing::EndsWith;
using testing::HasSubstr;

ResultRecord WithIntervals(int count) {
  return With(ExampleRecord(), [&](ResultRecord& run) {
    for (int i = 1; i <= count; ++i) {
      run.intervals.push_back(
          {i * 0.5, 5000, {Counted("task-clock", 2.5e8), Counted("page-faults", 1e3)}});
    }
  });
}

TEST(IntervalLines, ArePerfsWithTheRowsInFront) {
  EXPECT_EQ(IntervalLines(std::vector{WithIntervals(2)}, true),
            R"(#           time             counts unit events
     0.500000000              5,000      rows                             #    10,000.00 rows/s
     0.500000000             250.00 msec task-clock                       #    0.500 CPUs utilized
     0.500000000              1,000      page-faults                      #    4.000 K/sec
     1.000000000              5,000      rows                             #    10,000.00 rows/s
     1.000000000             250.00 msec task-clock                       #    0.500 CPUs utilized
     1.000000000              1,000      page-faults                      #    4.000 K/sec
)");
}

TEST(IntervalLines, PutTheTimeBeforeASecondMetric) {
  const ResultRecord run = With(ExampleRecord(), [](ResultRecord& record) {
    record.intervals = {{1, 5, ExampleCounters()}};
  });
  EXPECT_EQ(LineWith(IntervalLines(std::vector{run}, true), "stalled cycles per insn"),
            "     1.000000000 " + std::string(50, ' ') + "#    0.14  stalled cycles per insn");
}

TEST(IntervalLines, MarkWhatWasUnderWay) {
  const ResultRecord run = With(ExampleRecord(), [](ResultRecord& record) {
    record.intervals = {{1, 5, {}, true, false, false},
                        {2, 0, {}, true, true, true},
                        {3, 7, {}, false, false, true}};
  });
  const std::vector<std::string> lines = LinesOf(IntervalLines(std::vector{run}, true));
  EXPECT_THAT(lines[1], EndsWith(" 5.00 rows/s  during checkpoint"));
  EXPECT_THAT(lines[2], EndsWith(" 0.00 rows/s  during checkpoint, merge, stall"));
  EXPECT_THAT(lines[3], EndsWith(" 7.00 rows/s  during stall"));
}

TEST(IntervalLines, AreNoneWithoutIntervals) {
  EXPECT_EQ(IntervalLines(std::vector{ExampleRecord()}, true), "");
}

TEST(IntervalLines, RepeatTheHeadingEvery25Intervals) {
  const auto headings = [](int intervals) {
    const std::vector<std::string> lines =
        LinesOf(IntervalLines(std::vector{WithIntervals(intervals)}, true));
    return std::count_if(lines.begin(), lines.end(),
                         [](const std::string& line) { return line[0] == '#'; });
  };
  EXPECT_EQ(headings(25), 1);
  EXPECT_EQ(headings(26), 2);
  EXPECT_EQ(headings(51), 3);
}

TEST(IntervalLines, NameTheRunOfSeveral) {
  const std::string text = IntervalLines(std::vector{WithIntervals(1), WithIntervals(1)}, true);
  EXPECT_THAT(text, HasSubstr("unit events   (run 1 of 2)\n"));
  EXPECT_THAT(text, HasSubstr("unit events   (run 2 of 2)\n     0.500000000              5,000"));
}

TEST(IntervalLines, LeaveOutTheRateOfAnIntervalOfNoTime) {
  const ResultRecord run = With(ExampleRecord(), [](ResultRecord& record) {
    record.intervals = {{0, 5, {}}};
  });
  EXPECT_EQ(LinesOf(IntervalLines(std::vector{run}, true))[1],
            "     0.000000000                  5      rows");
}

}  // namespace
}  // namespace throughput
