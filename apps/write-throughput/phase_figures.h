// From the splits of the load threads to the figures of --phases in the record. What the load
// threads did not do, the process's other threads did: the background.
// Thread rule: a function of its arguments.
#pragma once

#include <span>

#include "apps/write-throughput/phase_meter.h"
#include "metrics/result_record.h"

namespace throughput {

// `record` has the window's times and counters already. The background's instructions and cycles
// are known where perf counted those of the process with the modifiers of the load threads'.
void AddPhases(std::span<const PhaseSplit> splits, metrics::ResultRecord& record);

}  // namespace throughput
