// The progress of a run on a terminal: one line that is overwritten, shown once the run has lasted
// a second, and cleared before anything else is printed.
// Thread rule: one thread.
#pragma once

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

// "cell 2 of 16: 45 % done, 123456 rows/s, 12 s left"; empty in the first second.
std::string ProgressText(const Options& options, const Cell& cell, size_t cells,
                         const LoadSample& sample);

}  // namespace throughput
