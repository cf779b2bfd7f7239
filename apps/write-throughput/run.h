// One run of one cell, from an absent database to a result record. To be called in a process of
// its own: it opens the counters before the process has other threads.
// Thread rule: the calling thread watches; `progress` is called by it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "apps/write-throughput/interrupt.h"
#include "apps/write-throughput/load.h"
#include "apps/write-throughput/run_plan.h"
#include "metrics/result_record.h"

namespace throughput {

struct RunOutcome {
  std::optional<metrics::ResultRecord> record;  // absent: nothing was measured
  std::optional<std::string> failure;           // one line
  bool interrupted = false;
};

// Leaves the database closed and in place. The record's environment and command line are the
// caller's to add. `progress`, where it is not null, is called some times a second in the window;
// `give_up` by any thread, to end the process with a failure where a call never returns.
RunOutcome RunOnce(const RunPlan& plan, Interrupt& interrupt,
                   const std::function<void(const LoadSample&)>& progress,
                   const std::function<void(const std::string&)>& give_up = nullptr);

}  // namespace throughput
