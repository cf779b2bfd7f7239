#include "apps/write-throughput/compute.h"

#include <gtest/gtest.h>
#include <time.h>

#include <chrono>

namespace throughput {
namespace {

int64_t CpuNanoseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

TEST(BusyComputeTest, TakesAtLeastItsTimeByTheWall) {
  const auto start = std::chrono::steady_clock::now();
  BusyCompute(2000, ComputeClock::kWall).Run();
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::microseconds(2000));
}

TEST(BusyComputeTest, TakesAtLeastItsTimeByTheThreadsClock) {
  const int64_t start = CpuNanoseconds();
  BusyCompute(2000, ComputeClock::kCpu).Run();
  EXPECT_GE(CpuNanoseconds() - start, 2'000'000);
}

}  // namespace
}  // namespace throughput
