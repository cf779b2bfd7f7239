// From the record of one run, as write-throughput wrote it, to a line of the history.
// Thread rule: a pure function.
#pragma once

#include "apps/throughput-changes/failure.h"
#include "apps/throughput-changes/history.h"
#include "metrics/result_record.h"

namespace throughput {

// Test, machine and metrics; commit, time, branch, repository and run number are the caller's.
// A test's name is the system and the cell's parameters: "Burin threads=1 batch=100 compute=0
// mode=legacy hasher=fx", and in-flight, compute-clock=cpu or value-size where the cell has them.
//
// Metrics, where the record has what they are made of: rows/s; instructions, cycles, task-clock
// (ns) and branch-misses, each per row; syncs/transaction; bytes/row; p50 and p99 of the commit
// latency (us). A counter that was not counted, or is suspect, gives none. Its modifiers and, for
// callgrind, its source are part of the unit, so that user-only and full counts never mix.
//
// Refused: a run that was interrupted, without acknowledged rows, or with a figure that is not
// finite.
Result<RecordedRun> RunOfRecord(const metrics::ResultRecord& record);

}  // namespace throughput
