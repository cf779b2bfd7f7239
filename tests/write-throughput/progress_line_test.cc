#include "apps/write-throughput/progress_line.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace throughput {
namespace {

using std::chrono::milliseconds;

TEST(ProgressTextTest, ShowsNothingInTheFirstSecond) {
  Options options;
  options.iterations = 10;
  EXPECT_EQ(ProgressText(options, Cell(), {1, 1}, {milliseconds(999), 5}), "");
}

TEST(ProgressTextTest, ShowsShareRateAndTimeLeft) {
  Options options;
  options.iterations = 100;
  Cell cell;
  cell.threads = 2;
  cell.batch_size = 10;
  EXPECT_EQ(ProgressText(options, cell, {1, 1}, {milliseconds(2000), 50}),
            "25 % done, 250 rows/s, 6 s left");
  EXPECT_EQ(ProgressText(options, cell, {1, 1}, {milliseconds(2000), 0}), "0 % done, 0 rows/s");
}

TEST(ProgressTextTest, ShowsTheTimeLeftForTheWholeSweep) {
  Options options;
  options.iterations = 100;
  const LoadSample quarter{milliseconds(2000), 25};  // of 8 s
  // The first of three: the others are taken to last as long.
  EXPECT_EQ(ProgressText(options, Cell(), {1, 3}, quarter),
            "run 1 of 3: 25 % done, 1250 rows/s, 6 s left, 22 s for all");
  // Ten took 600 s.
  const std::chrono::duration<double> spent(600);
  EXPECT_EQ(ProgressText(options, Cell(), {11, 16, spent}, quarter),
            "run 11 of 16: 25 % done, 1250 rows/s, 6 s left, 5 min for all");
  EXPECT_EQ(ProgressText(options, Cell(), {11, 411, spent}, quarter),
            "run 11 of 411: 25 % done, 1250 rows/s, 6 s left, 7 h for all");
  EXPECT_EQ(ProgressText(options, Cell(), {16, 16, spent}, quarter),
            "run 16 of 16: 25 % done, 1250 rows/s, 6 s left, 6 s for all");
}

TEST(ProgressTextTest, GoesByTheClockWhereThereIsADuration) {
  Options options;
  options.duration = std::chrono::seconds(10);
  EXPECT_EQ(ProgressText(options, Cell(), {1, 1}, {milliseconds(4000), 40}),
            "40 % done, 1000 rows/s, 6 s left");
  EXPECT_EQ(ProgressText(options, Cell(), {1, 1}, {milliseconds(11000), 110}),
            "100 % done, 1000 rows/s, 0 s left");
}

TEST(ProgressLineTest, IsOverwrittenAndCleared) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ProgressLine line(ends[1]);
  line.Clear();  // nothing is shown: nothing to clear
  line.Show("");
  line.Show("one");
  line.Show("two");
  line.Clear();
  line.Clear();
  close(ends[1]);
  char bytes[100];
  const ssize_t size = read(ends[0], bytes, sizeof bytes);
  close(ends[0]);
  ASSERT_GE(size, 0);
  EXPECT_EQ(std::string(bytes, static_cast<size_t>(size)), "\r\033[Kone\r\033[Ktwo\r\033[K");
}

}  // namespace
}  // namespace throughput
