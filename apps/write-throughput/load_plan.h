// What the load of one run is to be, and what remains of it per thread: the record of transactions
// that the verification goes by.
// Thread rule: values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "apps/write-throughput/compute.h"
#include "apps/write-throughput/workload.h"

namespace throughput {

using Clock = std::chrono::steady_clock;

struct LoadPlan {
  IdLayout layout;
  std::chrono::nanoseconds duration{0};  // of the window, where layout.iterations is absent
  std::chrono::nanoseconds warmup{0};
  BusyCompute compute{0, ComputeClock::kWall};
  std::optional<int64_t> rate;  // transactions per second of all threads; absent: a closed loop
  bool pipelined = false;
  bool phases = false;                            // split each thread's counters
  int in_flight = 1;                              // open transactions per thread when pipelined
  std::chrono::milliseconds retry_limit{30'000};  // of one transaction that meets others
  std::chrono::nanoseconds start_deadline = std::chrono::seconds(20);  // for all threads to start
};

// A thread's transactions of one phase, by iteration. What was begun and is in neither list was
// acknowledged.
struct PhaseLog {
  int64_t begun = 0;              // iterations 0 to begun - 1
  std::vector<int64_t> in_doubt;  // neither acknowledged nor refused: whole or absent
  std::vector<int64_t> refused;   // certainly without effect

  int64_t Acknowledged() const { return begun - std::ssize(in_doubt) - std::ssize(refused); }
};

}  // namespace throughput
