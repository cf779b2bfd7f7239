// Records with fixed figures for the tests of the report.
#pragma once

#include <string>
#include <vector>

#include "metrics/result_record.h"
#include "tests/results/lines.h"

namespace throughput {

metrics::CounterReading Counted(const std::string& event, double value,
                                const std::string& modifiers = "");
metrics::CounterReading Missing(const std::string& event, metrics::CounterStatus status,
                                const std::string& cause = "");

// Nine counters, task-clock first: those of the classic example of the summary.
std::vector<metrics::CounterReading> ExampleCounters();

// One thread, 10,000 transactions of 100 rows in 9.2 seconds, with ExampleCounters.
metrics::ResultRecord ExampleRecord();

// The command line of ExampleRecord.
std::vector<std::string> ExampleArguments();

// A copy of `record` with one field changed.
template <typename Change>
metrics::ResultRecord With(metrics::ResultRecord record, Change change) {
  change(record);
  return record;
}

// A copy of `record` whose counter `event` has `value`.
metrics::ResultRecord WithCounter(metrics::ResultRecord record, const std::string& event,
                                  double value);

}  // namespace throughput
