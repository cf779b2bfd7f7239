// The measured window: everything that is read at its two ends.
// Thread rule: Open and Close by one thread each, which need not be the same; the figures when
// Close has returned.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/write-throughput/interposition/call_counts.h"
#include "apps/write-throughput/load_plan.h"
#include "apps/write-throughput/targets/target.h"
#include "metrics/block_device.h"
#include "metrics/counter_session.h"
#include "metrics/process_usage.h"
#include "metrics/sync_tracepoints.h"
#include "metrics/thread_session.h"

namespace throughput {

// Which of these were under way at any time of an interval.
struct BackgroundSample {
  bool checkpoint = false;
  bool merge = false;
  bool stall = false;  // a load thread waited for them
};

class Window {
 public:
  // Each may be null: then it is not wanted.
  struct Counters {
    metrics::CounterSession* process = nullptr;
    metrics::ThreadSession* threads = nullptr;
    const metrics::SyncTracepoints* kernel_syncs = nullptr;
  };

  // `path`: of the database, whose device is watched.
  Window(Target& target, const Counters& counters, const std::string& path)
      : target_(target),
        counters_(counters.process),
        threads_(counters.threads),
        kernel_(counters.kernel_syncs),
        device_(metrics::BlockDevice::Of(path)) {}

  // Between the two readings of the clock lie those of CPU time, and between those of the process
  // those of its threads: no part can come out greater than its whole.
  void Open();
  void Close();

  double seconds() const { return std::chrono::duration<double>(closed_at_ - opened_at_).count(); }
  const metrics::ProcessTimes& cpu() const { return cpu_; }
  const TargetCounts& counts() const { return counts_; }  // longest and present ones as at the end
  const CallCounts& calls() const { return calls_; }
  int64_t device_flushes() const { return flushes_; }     // -1: the device does not tell
  int64_t kernel_syncs() const { return kernel_syncs_; }  // -1: they are not counted
  std::vector<metrics::CounterReading> Readings() const;
  std::vector<metrics::CounterReading> Sample();  // since the previous one, while it is open

  // What the target did behind the load since the previous call, or since the window opened.
  BackgroundSample SampleBackground();

 private:
  int64_t Flushes() const;
  int64_t KernelSyncs() const;

  Target& target_;
  metrics::CounterSession* counters_;
  metrics::ThreadSession* threads_;
  const metrics::SyncTracepoints* kernel_;
  const std::optional<metrics::BlockDevice> device_;
  Clock::time_point opened_at_;
  Clock::time_point closed_at_;
  metrics::ProcessTimes cpu_;
  TargetCounts counts_;
  CallCounts calls_;
  int64_t flushes_ = -1;
  int64_t kernel_syncs_ = -1;
  TargetCounts sampled_;  // as they were at the latest SampleBackground
};

}  // namespace throughput
