// The process's own writes and syncs, counted as they pass to the operating system.
// system_calls.cc, a part of the executable, stands in the way of them all, also of those of
// libraries loaded later; in a program without it nothing is counted. Raw system calls, io_uring
// and other processes are out of sight.
//
// Thread rule: from any thread. Each thread counts into a block of its own; a block outlives its
// thread and is handed on to a later one, so that nothing counted is ever lost.
// Invariant: no shared write while a thread counts, but for its first call.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "metrics/histogram.h"

namespace throughput {

struct CallCounts {
  uint64_t syncs = 0;        // that make something durable when they return
  uint64_t range_syncs = 0;  // sync_file_range: starts or awaits writing, makes nothing durable
  uint64_t writes = 0;       // calls, to files and block devices
  uint64_t bytes = 0;        // that they wrote
  std::vector<uint64_t> sync_latency;  // counts by bucket

  metrics::Histogram SyncLatency() const;  // ns; each value is the middle of its bucket, +-1.6 %
};

CallCounts operator-(const CallCounts& later, const CallCounts& earlier);

// Of all threads that there are and were.
CallCounts CountCalls();

// How long the oldest sync has been under way that has not returned; 0: there is none.
std::chrono::nanoseconds LongestSyncUnderWay();

// For system_calls.cc. `written`: what the call returned. A sync that begins ends in the same
// thread; it is counted where it succeeds. `now_ns`: of CLOCK_MONOTONIC, which is steady_clock's.
void CountWrite(ssize_t written);
void BeginSync(int64_t now_ns);
void EndSync(bool succeeded, int64_t took_ns);
void CountRangeSync();

}  // namespace throughput
