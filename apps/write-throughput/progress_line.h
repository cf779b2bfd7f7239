// The progress of a run on a terminal: one line that is overwritten, shown once the run has lasted
// a second, and cleared before anything else is printed.
// Thread rule: one thread.
#pragma once

#include <chrono>
#include <string>

#include "apps/write-throughput/cells.h"
#include "apps/write-throughput/load.h"

namespace throughput {

class ProgressLine {
 public:
  // Writes to `descriptor` (of a terminal).
  explicit ProgressLine(int descriptor) : descriptor_(descriptor) {}

  void Show(const std::string& text);
  void Clear();

 private:
  int descriptor_;
  bool shown_ = false;
};

// Where in the sweep a run stands.
struct SweepProgress {
  size_t run = 0;  // from 1
  size_t runs = 1;
  std::chrono::duration<double> spent{0};  // seconds, on the runs before it
};

// "run 2 of 16: 45 % done, 123456 rows/s, 12 s left, 7 min for all"; empty in the first second.
// Runs that are to come are taken to last as long as those that were did.
std::string ProgressText(const Options& options, const Cell& cell, const SweepProgress& position,
                         const LoadSample& sample);

}  // namespace throughput
