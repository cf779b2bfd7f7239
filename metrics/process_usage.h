// What the kernel accounts to a process without perf: the summary's user and sys seconds, and the
// software counters where perf_event_open is refused.
// Thread rule: functions; nothing is kept.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace metrics {

// CPU time of this process since its start, ended threads included.
struct ProcessTimes {
  double user_seconds = 0;
  double system_seconds = 0;

  static ProcessTimes Of(const rusage& usage);
  static ProcessTimes Now();
  friend ProcessTimes operator-(const ProcessTimes& later, const ProcessTimes& earlier) {
    return {later.user_seconds - earlier.user_seconds,
            later.system_seconds - earlier.system_seconds};
  }
};

// Counts since the start of the process, ended threads included.
struct ProcessUsage {
  uint64_t cpu_ns = 0;  // user and system; getrusage tells microseconds
  uint64_t minor_faults = 0;
  uint64_t major_faults = 0;
  uint64_t context_switches = 0;  // voluntary or not

  static ProcessUsage Of(const rusage& usage);
  static ProcessUsage Now();
};

// Moves between CPUs of each live thread, by its number. Absent: this kernel does not tell
// (/proc/self/task/*/sched comes with CONFIG_SCHED_DEBUG).
using Migrations = std::map<int, uint64_t>;
std::optional<Migrations> ReadMigrations();

// nr_migrations in the text of a /proc/PID/sched file.
std::optional<uint64_t> ParseMigrations(std::string_view sched);

// Moves between two readings by the threads that live at the later one, also by those that started
// in between. Those that ended in between took their count with them.
uint64_t MigrationsBetween(const Migrations& earlier, const Migrations& later);

}  // namespace metrics
