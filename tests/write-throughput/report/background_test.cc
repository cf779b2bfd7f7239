#include "apps/write-throughput/report/background.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/write-throughput/report/records.h"

namespace throughput {
namespace {

using metrics::ResultRecord;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

ResultRecord BusyRecord() {
  return With(ExampleRecord(), [](ResultRecord& record) {
    record.background = {.checkpoints = 3,
                         .merges = 1,
                         .bytes_written = 45'150'016,
                         .cpu_ns = 274'067'400,
                         .stalls = 4,
                         .stall_ns = 312'500'000,
                         .longest_stall_ns = 120'000'000,
                         .longest_sync_ns = 12'345'678};
  });
}

TEST(BackgroundDetails, AreThis) {
  const ResultRecord run = With(BusyRecord(), [](ResultRecord& record) {
    record.intervals = {{4, 500000, {}}, {8, 0, {}}, {9.2, 0, {}}};
  });
  EXPECT_EQ(BackgroundDetails(std::vector{run}, true), R"(
             12.35 msec longest sync
                 3      checkpoints                      #                1 merges
        45,150,016      bytes of theirs                  #           25.00% of all bytes
            274.07 msec CPU time of theirs               #           10.00% of all CPU time
                 4      stalls of load threads           #           312.50 msec all together
            120.00 msec longest stall
                 2      intervals                        #                1 without a row
)");
}

TEST(BackgroundDetails, AreNothingWhereTheEngineCannotTell) {
  EXPECT_EQ(BackgroundDetails(std::vector{ExampleRecord()}, true), "");
}

TEST(BackgroundDetails, ShowTheLongestSyncAloneWhereNothingElseHappened) {
  const ResultRecord run =
      With(ExampleRecord(), [](ResultRecord& record) { record.background.longest_sync_ns = 1e6; });
  EXPECT_EQ(BackgroundDetails(std::vector{run}, true), "\n              1.00 msec longest sync\n");
}

TEST(BackgroundDetails, OfSeveralRunsAreMeansAndTheLongestOfAll) {
  const ResultRecord other = With(BusyRecord(), [](ResultRecord& record) {
    record.background.checkpoints = 4;
    record.background.bytes_written = 0;
    record.background.longest_stall_ns = 250'000'000;
    record.background.longest_sync_ns = 1;
  });
  const std::string text = BackgroundDetails(std::vector{BusyRecord(), other}, true);
  EXPECT_THAT(LineWith(text, "checkpoints"), StartsWith("              3.50 "));
  EXPECT_THAT(LineWith(text, "all bytes"), EndsWith("12.50% of all bytes"));
  EXPECT_THAT(LineWith(text, "longest stall"), HasSubstr(" 250.00 msec"));
  EXPECT_THAT(LineWith(text, "longest sync"), HasSubstr(" 12.35 msec"));
}

TEST(WholeIntervals, AreAllThatLastAsLongAsTheFirst) {
  const auto count = [](std::vector<metrics::Interval> intervals) {
    const IntervalCount whole = WholeIntervals(
        With(ExampleRecord(), [&](ResultRecord& record) { record.intervals = intervals; }));
    return std::pair(whole.all, whole.without_rows);
  };
  EXPECT_EQ(count({}), std::pair(size_t{0}, size_t{0}));
  EXPECT_EQ(count({{0.05, 0, {}}}), std::pair(size_t{1}, size_t{1}));
  EXPECT_EQ(count({{0.1, 5, {}}, {0.15, 0, {}}}), std::pair(size_t{1}, size_t{0}));
  EXPECT_EQ(count({{0.1, 0, {}}, {0.2, 0, {}}}), std::pair(size_t{2}, size_t{2}));
}

}  // namespace
}  // namespace throughput
