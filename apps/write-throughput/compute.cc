#include "apps/write-throughput/compute.h"

#include <time.h>

namespace throughput {
namespace {

int64_t Nanoseconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Some 100 ns of arithmetic that nothing can be optimized out of, so that the time is spent in the
// program rather than in reading the clock: the CPU clock is a system call.
uint64_t Arithmetic(uint64_t seed) {
  uint64_t value = seed;
  for (int round = 0; round < 64; ++round) {
    value = value * 6364136223846793005ULL + 1442695040888963407ULL;
    asm volatile("" : "+r"(value));
  }
  return value;
}

}  // namespace

void BusyCompute::Spin() const {
  const clockid_t clock = clock_ == ComputeClock::kCpu ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  const int64_t end = Nanoseconds(clock) + nanoseconds_;
  uint64_t value = 1;
  do {
    value = Arithmetic(value);
  } while (Nanoseconds(clock) < end);
}

}  // namespace throughput
