// What a record of one run says in figures that are compared: its test, its machine, its metrics.
// Thread rule: values and pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "metrics/result_record.h"

namespace throughput {

inline constexpr double kMaxValue = 1e100;  // in size; squares of it still fit a double

enum class Better { kHigher, kLower };
std::string_view NameOf(Better better);  // "higher", "lower"

struct Metric {
  std::string name;  // "instructions/row"
  std::string unit;  // "instructions:u/row"
  Better better = Better::kLower;
  double value = 0;
};

// The system and the settings (settings.h): "Burin threads=1 batch=100 compute=0 mode=legacy
// hasher=fx iterations=2000". Runs of different settings are never runs of one test.
std::string TestName(const metrics::ResultRecord& record);

// "AMD EPYC 7763, 2 cores, Linux 6.1.0"
std::string MachineName(const metrics::ResultRecord& record);

// Where the record has what they are made of: rows/s; instructions, cycles, task-clock (ns) and
// branch-misses, each per row; syncs/transaction; bytes/row; p50 and p99 of the commit latency
// (us). A counter that was not counted, or is suspect, gives none. Its modifiers and, for
// callgrind, its source are part of the unit, so that user-only and full counts never mix.
// `record` has passed CheckRecord.
std::vector<Metric> MetricsOf(const metrics::ResultRecord& record);

}  // namespace throughput
