// The rows of --per-thread in the record.
// Thread rule: a function of its arguments.
#pragma once

#include <vector>

#include "metrics/counter_reading.h"
#include "metrics/counter_selection.h"
#include "metrics/result_record.h"

namespace throughput {

// In the order load-0, load-1, ..., then the engine's by name.
//
// `record` has the process's counters already. Where they hold noticeably more task-clock than all
// rows, threads began and ended within the window: they get a row together, "(ended)".
// Accounts of threads that run on at the window's ends are read a little outside of it: what their
// rows have too much beside the process is taken from them.
void AddThreadRows(std::vector<metrics::ThreadReadings> threads, metrics::CounterMode mode,
                   metrics::ResultRecord& record);

}  // namespace throughput
