// What callgrind simulated, read from the profile it writes, as counters.
//
// Format: "Callgrind Format Specification" of Valgrind 3.19. Of its lines only two are read:
// "events:" names the columns, "totals:" holds their sums over the whole part. "summary:" is passed
// over: in a part that began with --zero-before it still has what other threads had done before.
//
// Thread rule: functions of their arguments.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "metrics/counter_reading.h"

namespace metrics {

// By callgrind's name of the event: "Ir", "Bcm".
using CallgrindTotals = std::map<std::string, uint64_t>;

// Error: one line, for a text that has not both lines with as many figures as names.
tl::expected<CallgrindTotals, std::string> ParseCallgrindProfile(std::string_view profile);

// instructions, branches, branch-misses and the misses of the first and the last level of cache,
// under perf's names; user mode only, as that is all callgrind sees.
// Events that callgrind was not asked to simulate are left out.
std::vector<CounterReading> CallgrindReadings(const CallgrindTotals& totals);

}  // namespace metrics
