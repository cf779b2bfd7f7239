// Splits what a load thread does within the window into phases, for --phases: at each switch the
// thread's counters are read, and what they moved since the last switch belongs to the phase that
// ends. How long a reading takes is measured beforehand, so that the overhead can be told.
//
// Thread rule: made and used by the load thread; the split is a value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "metrics/split_counter.h"

namespace throughput {

enum class LoadPhase { kBegin, kCompute, kInsert, kCommit };
inline constexpr size_t kLoadPhases = 4;

struct PhaseSplit {
  struct Part {
    double ns = 0;  // wall time
    double instructions = 0;
    double cycles = 0;
  };
  std::array<Part, kLoadPhases> parts;  // by LoadPhase
  double cpu_ns = 0;                    // of the thread, all phases
  int64_t readings = 0;
  double reading_ns = 0;  // what one took, when nothing else was done
  double reading_instructions = 0;
  bool counts_hardware = false;
  std::string modifiers;  // of instructions and cycles
  std::string cause;      // where they are missing or see the user's part only
};

class PhaseMeter {
 public:
  PhaseMeter();  // opens the counters and measures a reading, in some 0.1 ms

  void Start();  // the first phase is kBegin
  void Switch(LoadPhase next);
  PhaseSplit Stop();

 private:
  metrics::SplitCounter counter_;
  PhaseSplit split_;
  LoadPhase phase_ = LoadPhase::kBegin;
  metrics::SplitReading latest_;
  int64_t cpu_at_start_ns_ = 0;
};

}  // namespace throughput
