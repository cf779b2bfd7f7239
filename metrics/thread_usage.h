// What the kernel accounts to each thread of this process without perf.
// Thread rule: a function; nothing is kept.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "metrics/process_usage.h"

namespace metrics {

// Since the thread's start.
struct ThreadUsage {
  std::string name;  // up to 15 bytes
  ProcessUsage usage;
  std::optional<uint64_t> migrations;  // absent: this kernel does not tell
};

// Of the calling thread, up to now, while those of other threads are exact where they sleep alone.
struct OwnUsage {
  int number = 0;
  ProcessUsage usage;
};
OwnUsage ReadOwnThread();

// Of every live thread, by its number. `folder` holds one for each of them: tests bring their own.
std::map<int, ThreadUsage> ReadThreads(const std::string& folder = "/proc/self/task");

}  // namespace metrics
