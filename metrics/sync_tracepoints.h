// The kernel's own count of the syncs that this process asks for: its tracepoints
// syscalls:sys_enter_{fsync,fdatasync,msync,sync,syncfs}. They see raw system calls, which pass by
// everything that stands in a process's own way; io_uring and other processes they do not see.
// sync_file_range makes nothing durable and is left out, as is msync without MS_SYNC.
//
// While they are open every system call of the process is some 40 ns slower, and closing the last
// of their kind waits for the kernel, some 10 ms each.
//
// Source: the kernel's Documentation/trace/events.rst (the numbers in tracefs) and
// perf_event_open(2) (PERF_TYPE_TRACEPOINT, PERF_EVENT_IOC_SET_FILTER).
// Thread rule: opened before the process has other threads; Count from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "metrics/perf_system.h"

namespace metrics {

class SyncTracepoints {
 public:
  // All of them, inherited by every thread that the calling one makes; or one line that says why
  // they cannot be had here, and what to do about it. tracefs is looked for below `root`.
  static tl::expected<std::unique_ptr<SyncTracepoints>, std::string> Open(
      PerfSystem& system = PerfSystem::Kernel(), const std::string& root = "");
  ~SyncTracepoints();
  SyncTracepoints(const SyncTracepoints&) = delete;
  SyncTracepoints& operator=(const SyncTracepoints&) = delete;

  uint64_t Count() const;  // calls since Open

 private:
  explicit SyncTracepoints(PerfSystem& system) : system_(system) {}

  PerfSystem& system_;
  std::vector<int> descriptors_;
};

}  // namespace metrics
