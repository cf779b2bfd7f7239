// A kernel for tests: opens what a test lets it open, and counts when the test says so.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "metrics/perf_system.h"

namespace metrics {

class FakePerfSystem : public PerfSystem {
 public:
  struct Counter {
    perf_event_attr attributes{};
    pid_t process = 0;
    int leader = -1;  // its own descriptor when it leads
    bool enabled = false;
    PerfCount count;
  };

  FakePerfSystem();

  int Open(const perf_event_attr& attributes, pid_t process, int group) override;
  int Enable(int descriptor) override;
  int Disable(int descriptor) override;
  int Filter(int descriptor, const char* condition) override;
  int Read(int descriptor, PerfCount& count) override;
  void Close(int descriptor) override;
  ProcessUsage Usage() override { return usage; }
  std::optional<Migrations> ThreadMigrations() override { return migrations; }
  std::map<int, ThreadUsage> Threads() override { return threads; }
  OwnUsage OwnThread() override { return own_thread; }
  uint64_t MonotonicNs() override { return now_ns; }
  Machine Inspect() override { return machine; }
  uint64_t RaiseDescriptorLimit() override { return machine.descriptor_limit; }
  void RunSelfTestLoop() override;

  // Lets time pass for the enabled counters.
  void Run(uint64_t ns);

  size_t OpenDescriptors() const { return counters.size(); }
  // Of the event with this type and config; absent when it is not open.
  const Counter* Find(uint32_t type, uint64_t config) const;

  // What a test sets.
  std::function<int(const perf_event_attr&, int group)> refuse;    // an errno, or 0 to open
  std::function<PerfCount(const Counter&, uint64_t ns)> progress;  // of an enabled counter
  size_t pmu_size = std::numeric_limits<size_t>::max();            // hardware events in one group
  int read_error = 0;                                              // an errno
  int filter_error = 0;                                            // likewise
  Machine machine;
  ProcessUsage usage;
  std::optional<Migrations> migrations;
  std::map<int, ThreadUsage> threads;
  OwnUsage own_thread;
  uint64_t now_ns = 1000;

  // What a test looks at.
  std::map<int, Counter> counters;  // by descriptor
  std::vector<std::string> calls;   // "enable 3", "disable 3", "self-test"
};

}  // namespace metrics
