// The lines of --per-thread below the block: perf stat's per-thread form, the thread's name in
// front of each counter.
// Thread rule: a pure function of values.
#pragma once

#include <span>
#include <string>

#include "metrics/result_record.h"

namespace throughput {

// Of each run that has them, as threads of two runs are not the same; empty where none has.
std::string ThreadLines(std::span<const metrics::ResultRecord> runs, bool big_numbers);

// The name as the first column, in perf's width.
std::string ThreadPrefix(const std::string& name);

}  // namespace throughput
