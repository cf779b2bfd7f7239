// Loads whose transactions arrived at a fixed rate: whether the engine kept up, and what its
// latency is made of. Thread rule: pure functions.
#pragma once

#include "apps/throughput-report/html.h"
#include "apps/throughput-report/study.h"

namespace throughput {

bool IsOpenLoop(const Cell& cell);

// A row for each cell that is one, medians of its runs: the rate asked for and the one reached,
// latency from the intended start, service time from the actual start, backlog, and whether the
// runs were saturated. No rows where there is none.
Table OpenLoopTable(const Study& study);

}  // namespace throughput
