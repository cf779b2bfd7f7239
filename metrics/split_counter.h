// Time, instructions and cycles of the calling thread so far, cheap enough to be read several times
// in a transaction: what is between two readings belongs to what the thread did between them.
//
// Thread rule: made, read and destroyed by the thread that is counted.
// Invariant: a reading costs a clock and, where the hardware counters opened, a system call each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "metrics/counter_opener.h"
#include "metrics/perf_system.h"

namespace metrics {

struct SplitReading {
  uint64_t monotonic_ns = 0;
  uint64_t instructions = 0;
  uint64_t cycles = 0;
};

class SplitCounter {
 public:
  explicit SplitCounter(PerfSystem& system = PerfSystem::Kernel());
  ~SplitCounter();
  SplitCounter(const SplitCounter&) = delete;
  SplitCounter& operator=(const SplitCounter&) = delete;

  bool counts_hardware() const { return counts_hardware_; }
  const std::string& modifiers() const { return modifiers_; }  // "u": the kernel's part was refused
  const std::string& cause() const { return cause_; }          // of what is missing; or empty

  SplitReading Read();

  // By how much counts must be multiplied as the counters were not always on the PMU; 1 or more.
  double Scale();

 private:
  uint64_t Sum(const OpenCounter& counter);

  PerfSystem& system_;
  std::vector<OpenCounter> counters_;  // instructions, cycles
  bool counts_hardware_ = false;
  std::string modifiers_;
  std::string cause_;
};

}  // namespace metrics
