// The busy compute of a transaction: work that keeps a CPU occupied between begin and the first
// insert, as an application would.
// Thread rule: a value; each thread watches its own clock.
#pragma once

#include <cstdint>

namespace throughput {

enum class ComputeClock {
  kWall,
  kCpu,  // the thread's own CPU time: waiting for a core does not count as work done
};

class BusyCompute {
 public:
  BusyCompute(int64_t microseconds, ComputeClock clock)
      : nanoseconds_(microseconds * 1000), clock_(clock) {}

  // Returns after the set time, at once where that is 0.
  void Run() const {
    if (nanoseconds_ != 0) Spin();
  }

 private:
  void Spin() const;

  int64_t nanoseconds_;
  ComputeClock clock_;
};

}  // namespace throughput
