// The sweep: a cell for every combination of the lists in the flags.
// Thread rule: functions of their arguments.
#pragma once

#include <string>
#include <vector>

#include "apps/write-throughput/options.h"

namespace throughput {

struct Cell {
  int number = 1;  // from 1, in the order of the sweep
  const TargetInfo* engine = nullptr;
  Mode mode = Mode::kLegacy;
  std::string hasher;  // empty: the engine takes none
  int threads = 1;
  int64_t batch_size = 100;
  int64_t compute_us = 0;
};

// Engines vary slowest, then modes, hashers, threads, batch sizes; compute varies fastest. An
// engine that takes no hasher has one cell for all of them.
std::vector<Cell> MakeCells(const Options& options);

// --database with {cell} replaced: "3", and "3-2" for the second run of the third cell where there
// are repeats. `repeat` counts from 1.
std::string DatabasePath(const Options& options, const Cell& cell, int repeat);

// The command line that would make this cell alone: lists replaced by the cell's value,
// secrets hidden.
std::vector<std::string> CellArguments(const Options& options, const Cell& cell);

}  // namespace throughput
