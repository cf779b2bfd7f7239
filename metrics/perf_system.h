// The kernel as the counters see it. Every system call of a counter goes through here, so that a
// test can take the kernel's place.
// Thread rule: from any thread.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>

#include "metrics/machine.h"
#include "metrics/process_usage.h"
#include "metrics/thread_usage.h"

namespace metrics {

// As PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING gives them. Since the counter
// was opened, over all threads that inherited it.
struct PerfCount {
  uint64_t value = 0;
  uint64_t enabled_ns = 0;
  uint64_t running_ns = 0;
};

class PerfSystem {
 public:
  virtual ~PerfSystem() = default;

  // A descriptor, or minus an errno. CPU: any. `group` is a leader's descriptor or -1.
  virtual int Open(const perf_event_attr& attributes, pid_t process, int group) = 0;
  // The leader `descriptor` and its group. 0 or minus an errno.
  virtual int Enable(int descriptor) = 0;
  virtual int Disable(int descriptor) = 0;
  // Of a tracepoint: counts only those hits for which `condition` holds. 0 or minus an errno.
  virtual int Filter(int descriptor, const char* condition) = 0;
  // 0 or minus an errno; -ENODATA for a pinned event that had no place on the PMU.
  virtual int Read(int descriptor, PerfCount& count) = 0;
  virtual void Close(int descriptor) = 0;

  virtual ProcessUsage Usage() = 0;
  virtual std::optional<Migrations> ThreadMigrations() = 0;
  virtual std::map<int, ThreadUsage> Threads() = 0;
  virtual OwnUsage OwnThread() = 0;
  virtual uint64_t MonotonicNs() = 0;
  virtual Machine Inspect() = 0;
  virtual uint64_t RaiseDescriptorLimit() = 0;

  // The loop of self_test.h, in the calling thread.
  virtual void RunSelfTestLoop() = 0;

  static PerfSystem& Kernel();  // the real one; it has no state
};

}  // namespace metrics
