// Runs one run of a cell in a process of its own, so that no cell inherits another's heap, caches
// or counters, and one that crashes costs only its own row. The process dies with its starter.
// Thread rule: the calling process has no other thread, as it forks.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/write-throughput/interrupt.h"
#include "apps/write-throughput/run.h"

namespace throughput {

// Waits for the cell to end. Of the signals that `interrupt` sees, the first ends the load, the
// second a verification, and the third kills the cell. `progress` may be null. A cell that ended
// without a word is a failure that says how it ended.
RunOutcome RunInProcess(const RunPlan& plan, Interrupt& interrupt,
                        const std::function<void(const LoadSample&)>& progress);

// The same through another program that executes this one, of which `command` holds the path and
// all arguments. A cell that takes longer than `deadline` is killed.
RunOutcome RunUnder(const std::vector<std::string>& command, std::chrono::seconds deadline,
                    const RunPlan& plan, Interrupt& interrupt);

// Where the whole process is counted, the cell executes the program anew: which cell it is then
// stands in an environment variable.
struct CellErrand {
  int cell = 0;               // number
  Mode mode = Mode::kLegacy;  // of the cell: what it is may have taken a probe to know
  int repeat = 0;
  int descriptor = 0;  // for its messages
  bool progress = false;
  bool simulated = false;          // the bounded run of simulated_run.h
  std::vector<std::string> words;  // the command line with its secrets; set by TakeCellErrand
};
std::optional<CellErrand> TakeCellErrand();  // and removes the variable

// The rest of a cell's process: runs, tells, ends.
[[noreturn]] void BeCell(const RunPlan& plan, int descriptor, bool progress);

}  // namespace throughput
