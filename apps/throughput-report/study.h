// The runs of one report, put in order: which runs repeat one another, and what a line is called.
// Thread rule: values and pure functions.
// Invariants: every cell has at least one run; the cells of a study differ in what is said of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/results/failure.h"
#include "apps/results/result_files.h"
#include "metrics/result_record.h"

namespace throughput {

// Figures of the repeats of one cell. Of a single run the three are equal.
struct Spread {
  size_t runs = 0;
  double median = 0;
  double low = 0;  // of all runs, as high is
  double high = 0;
};

// `values` is not empty and all are finite.
Spread SpreadOf(const std::vector<double>& values);

// Runs with one configuration, an engine with its settings on one machine, at one load.
struct Cell {
  size_t series = 0;  // index in Study::series
  int threads = 0;
  int64_t batch_size = 0;  // rows per transaction
  int64_t compute_us = 0;
  std::vector<metrics::ResultRecord> runs;  // as they came
};

struct Study {
  std::vector<std::string> series;  // labels, unique, in the order of first appearance
  std::vector<Cell> cells;          // by series, batch size, compute and threads
  std::vector<metrics::Environment> environments;  // different ones, arguments aside
  std::vector<std::string> engines;                // "Burin 0.1.0", each once
  std::vector<std::string> commands;               // argument lists as they were given, each once
  std::string instructions_unit;  // "instructions:u (callgrind)"; empty: none counted
  std::string counters_note;      // of the first run without hardware counters; or empty
  std::string remark;             // on runs that were not repeated; or empty
};

// A label names the system, and whatever else tells two series apart: mode, hasher, transactions
// in flight, value size, clock of the compute, rate, engine version, settings on the command line
// (settings.h), and "environment B" where there are several. The runs have passed CheckRecord.
// Refused: no run; instructions counted in different units.
Result<Study> StudyOf(std::vector<ReadRun> runs);

Spread RateOf(const Cell& cell);  // rows/s

// Counted value per row over the runs that have it; nothing where none has.
std::optional<Spread> CounterPerRow(const Cell& cell, const std::string& event);

}  // namespace throughput
