// Examines the machine for measuring: what would make figures wrong, missing or restless, and the
// cure.
// Thread rule: functions; nothing is kept. Before the process has threads, as counters are opened.
#pragma once

#include <string>
#include <vector>

#include "metrics/perf_system.h"
#include "metrics/sync_trial.h"

namespace metrics {

enum class Verdict {
  kOk,
  kWarn,  // measuring works; figures are missing or vary more than they need to
  kFix,   // nothing can be measured until this is mended
};

struct Finding {
  Verdict verdict = Verdict::kOk;
  std::string subject;  // "SMT"
  std::string found;    // one line
  std::string fix;      // one line; empty where there is nothing to mend
};

// The PMU and each default event, perf_event_paranoid, governor, turbo, SMT, the NMI watchdog, the
// CPU quota of the control group, other load. /proc and /sys are those below `root`, which tests
// replace by a folder of their own; the events open on `system`.
std::vector<Finding> ExamineMachine(const std::string& root = "",
                                    PerfSystem& system = PerfSystem::Kernel());

// The place where a database would be: its file system, as Environment has it, and what syncs did.
std::vector<Finding> ExaminePlace(const std::string& file_system, const SyncTrial& trial);

}  // namespace metrics
