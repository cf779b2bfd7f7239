// The rows of --per-thread in the record.
// Thread rule: a function of its arguments.
#pragma once

#include <vector>

#include "metrics/counter_reading.h"
#include "metrics/counter_selection.h"
#include "metrics/result_record.h"

namespace throughput {

// `record` has the process's counters already. Where they hold noticeably more task-clock than all
// rows, threads began and ended within the window: they get a row together, "(ended)".
void AddThreadRows(std::vector<metrics::ThreadReadings> threads, metrics::CounterMode mode,
                   metrics::ResultRecord& record);

}  // namespace throughput
