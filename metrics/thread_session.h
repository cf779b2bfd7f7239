// Counters of each thread of this process by itself over a window: the second kind of session,
// beside that of the whole process.
//
// The threads that live at Open get counters of their own, which inherit nothing. One that begins
// later has software figures only, from the kernel's accounts; one that begins and ends within the
// window has none: what is in the process's figures and in no thread's is the sum of those. The
// kernel's accounts also stand in where perf refuses a software event or counts its user's part.
//
// Thread rule: one thread at a time. Open to EnableLast, and DisableFirst to Read, while the
// threads that are counted stand still, but for the caller.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "metrics/counter_reading.h"
#include "metrics/counter_set.h"
#include "metrics/events.h"
#include "metrics/perf_system.h"

namespace metrics {

class ThreadSession {
 public:
  // Runs the self-test, whose result holds for all threads.
  explicit ThreadSession(const std::vector<EventGroup>& groups,
                         PerfSystem& system = PerfSystem::Kernel());
  ThreadSession(const ThreadSession&) = delete;
  ThreadSession& operator=(const ThreadSession&) = delete;

  // The steps of a window; those between Open and Read are CounterSet's.
  void Open();
  void EnableFirst();
  void EnableLast();
  void DisableFirst();
  void DisableLast();
  void Read();

  // The window from EnableLast to DisableFirst: the threads in the order in which they began,
  // each with one reading for each event. The first thread of the process is called "main".
  std::vector<ThreadReadings> Readings() const;

 private:
  struct Thread {
    std::unique_ptr<CounterSet> set;  // null: it began after Open
    CounterSnapshot from;
    CounterSnapshot to;
    std::optional<ThreadUsage> usage_from;
    std::optional<ThreadUsage> usage_to;  // absent: it has ended
  };

  std::vector<CounterReading> ReadingsOf(const Thread& thread) const;
  void TakeAccount(const Thread& thread, const Event& event, CounterReading& reading) const;

  const std::vector<EventGroup> groups_;
  PerfSystem& system_;
  CounterSet tested_;
  std::vector<CounterReading> untouched_;  // of a thread without counters
  std::map<int, Thread> threads_;
  uint64_t enabled_ns_ = 0;
  uint64_t disabled_ns_ = 0;
  OwnUsage own_end_;  // of the thread that closed the window, as it did
};

}  // namespace metrics
