// Runs of a history for tests: the smallest ones that are right.
// Thread rule: pure functions.
#pragma once

#include <string>
#include <vector>

#include "apps/throughput-changes/history.h"

namespace throughput {

// Commit "c<number>" at time 1,700,000,000 + 86,400 * number, with the one metric rows/s.
RecordedRun MadeRun(int number, double rows_per_second,
                    const std::string& test = "Burin threads=1");

// One run of MadeRun for each value, commits 0, 1, 2, ...
std::vector<RecordedRun> MadeRuns(const std::vector<double>& values,
                                  const std::string& test = "Burin threads=1");

// The lines of a history file.
std::string Lines(const std::vector<RecordedRun>& runs);

}  // namespace throughput
