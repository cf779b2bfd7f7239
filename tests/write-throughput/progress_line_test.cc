#include "apps/write-throughput/progress_line.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace throughput {
namespace {

using std::chrono::milliseconds;

TEST(ProgressTextTest, ShowsNothingInTheFirstSecond) {
  Options options;
  options.iterations = 10;
  EXPECT_EQ(ProgressText(options, Cell(), 1, {milliseconds(999), 5}), "");
}

TEST(ProgressTextTest, ShowsShareRateAndTimeLeft) {
  Options options;
  options.iterations = 100;
  Cell cell;
  cell.number = 2;
  cell.threads = 2;
  cell.batch_size = 10;
  EXPECT_EQ(ProgressText(options, cell, 16, {milliseconds(2000), 50}),
            "cell 2 of 16: 25 % done, 250 rows/s, 6 s left");
  EXPECT_EQ(ProgressText(options, cell, 1, {milliseconds(2000), 0}), "0 % done, 0 rows/s");
}

TEST(ProgressTextTest, GoesByTheClockWhereThereIsADuration) {
  Options options;
  options.duration = std::chrono::seconds(10);
  EXPECT_EQ(ProgressText(options, Cell(), 1, {milliseconds(4000), 40}),
            "40 % done, 1000 rows/s, 6 s left");
  EXPECT_EQ(ProgressText(options, Cell(), 1, {milliseconds(11000), 110}),
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
