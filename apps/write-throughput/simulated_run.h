// The second run of --counters callgrind: the same cell, bounded, under valgrind's callgrind. It
// simulates what a PMU would count, of all threads and of the window only, in user mode. Time means
// nothing there, so that everything else in the record is the native run's.
//
// Thread rule: the calling process has no other thread, as it forks.
#pragma once

#include <vector>

#include "apps/write-throughput/cells.h"
#include "apps/write-throughput/interrupt.h"
#include "apps/write-throughput/run.h"
#include "metrics/counter_reading.h"
#include "metrics/result_record.h"

namespace throughput {

// Bounds of the second run, all threads together; at least one transaction per thread. Callgrind is
// some fifty times slower than the processor.
inline constexpr int64_t kMostSimulatedTransactions = 2'000;
inline constexpr int64_t kMostSimulatedRows = 200'000;

// The options of the second run: bounded, on a database of its own beside the first, neither
// warmed up nor verified.
Options SimulatedOptions(const Options& options, const Cell& cell);

// Whether a second run can be made where the options ask for one: valgrind is there, and nothing
// foreign stands where its databases go. Changes nothing.
Expected<> CheckSimulation(const Options& options, const std::vector<Cell>& cells);

struct Simulated {
  std::vector<metrics::CounterReading> counters;  // of the second run, unscaled
  int64_t rows = 0;
  int64_t transactions = 0;
  bool interrupted = false;  // and nothing was simulated
};
Expected<Simulated> RunSimulated(const RunPlan& plan, Interrupt& interrupt);

// Appends the counters to those of the native run, scaled from the rows of one to those of the
// other, with a note that says so.
void AddSimulatedCounters(const Simulated& simulated, metrics::ResultRecord& record);

}  // namespace throughput
