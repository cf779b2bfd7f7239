// Facts about this machine that decide which counters open, and the line that says why one did not.
// Thread rule: values and functions; nothing is kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace metrics {

struct CorePmu {
  std::string name;   // "cpu", "cpu_core", "armv8_pmuv3_0"
  uint32_t type = 0;  // perf_event_attr.type
};

struct Machine {
  // PMUs of CPU cores; none in most virtual machines, two or more where kinds of core differ.
  std::vector<CorePmu> core_pmus;
  bool has_perf_events = false;   // the kernel was built with them
  int paranoid = 2;               // kernel.perf_event_paranoid
  bool may_profile = false;       // CAP_PERFMON or CAP_SYS_ADMIN: paranoid does not bind
  bool seccomp_filter = false;    // this process runs under one, as in most containers
  uint64_t descriptor_limit = 0;  // soft RLIMIT_NOFILE
};

// Reads /proc and /sys below `root`, which tests replace by a folder of their own.
Machine InspectMachine(const std::string& root = "");

// One line: why perf_event_open failed with `error` (an errno), that errno's name, and the fix.
// `hardware`: the event needs a PMU.
std::string ExplainOpenFailure(int error, bool hardware, const Machine& machine);

// "EACCES"; numbers without a name as "errno 999".
std::string ErrnoName(int error);

// Raises the soft limit of open files to the hard one; returns the limit that holds then.
uint64_t RaiseDescriptorLimit();

}  // namespace metrics
