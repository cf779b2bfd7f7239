// One counter's figure over a window, with everything a reader needs to trust it or not.
// Thread rule: a value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace metrics {

enum class CounterStatus {
  kCounted,
  kNotCounted,    // opened, but never scheduled: running_ns = 0
  kNotSupported,  // would not open; `cause` says why
  kSuspect,       // opened, but the self-test read an impossible value
};

struct CounterReading {
  std::string event;      // as asked for, without modifiers: "instructions", "task-clock"
  std::string modifiers;  // "u", "k", "uk" or empty: what is compared before a ratio is made
  std::string generic;    // perf's first name of the same event, whatever it was asked for as:
                          // "cycles" for "cpu-cycles" and "perf::CYCLES"; of a native event `event`
  bool hardware = false;  // counted by the CPU's PMU, not by the kernel's software
  CounterStatus status = CounterStatus::kCounted;
  double value = 0;  // a whole number, scaled by enabled / running; task-clock and cpu-clock in ns
  uint64_t enabled_ns = 0;  // summed over threads, as running_ns
  uint64_t running_ns = 0;  // less than enabled_ns: multiplexed
  std::string source;       // "perf", "rusage", "proc", "callgrind"
  std::string cause;        // one line, for all but kCounted; also where only the user's part of an
                            // event is counted because the kernel's was refused
  bool asked_by_name = false;  // by -e: always shown
};

// The counters of one thread.
struct ThreadReadings {
  std::string name;  // "load-0", "burin-flush"
  std::vector<CounterReading> counters;
};

}  // namespace metrics
