// Open counters that are switched and read together. The kinds of sessions (whole process, other
// program) differ only in their options here.
//
// Thread rule: made and self-tested by the thread that is counted, or by one thread for another
// process; then Enable, Disable, Read and Readings from any thread.
// Invariant: nothing is ever reset, so a window is the difference of two snapshots.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "metrics/counter_opener.h"
#include "metrics/counter_reading.h"
#include "metrics/events.h"
#include "metrics/perf_system.h"

namespace metrics {

// All counters at one moment.
struct CounterSnapshot {
  std::vector<PerfCount> counts;  // one for each counter; zero where it is not perf's
  std::vector<int> errors;        // 0, or the errno of the read
  ProcessUsage usage;
  std::optional<Migrations> migrations;
  uint64_t monotonic_ns = 0;
};

class CounterSet {
 public:
  CounterSet(const std::vector<EventGroup>& groups, const CounterOptions& options,
             PerfSystem& system);
  ~CounterSet();
  CounterSet(const CounterSet&) = delete;
  CounterSet& operator=(const CounterSet&) = delete;

  // Runs the loop of self_test.h under each group by itself. A hardware counter that reads an
  // impossible figure becomes kSuspect, a software counter is replaced by the kernel's accounts.
  void SelfTest();

  // Takes over what SelfTest found in `tested`, a set of the same events on another process.
  void SuspectAs(const CounterSet& tested);

  // What switching itself costs comes last and goes first: task-clock and cpu-clock, and inside of
  // those the hardware counters. Page faults and the like, which it does not move, are in the other
  // part.
  void EnableFirst();
  void EnableLast();
  void DisableFirst();
  void DisableLast();

  enum class Edge { kBegin, kEnd };  // of a window: what takes long is read outside of it
  CounterSnapshot Read(Edge edge);

  // What getrusage tells, and when, at the very end of a window.
  void ReadUsage(CounterSnapshot& snapshot);

  // What was counted between two snapshots, in the order of the events.
  std::vector<CounterReading> Readings(const CounterSnapshot& from,
                                       const CounterSnapshot& to) const;

 private:
  struct Counter : OpenCounter {
    size_t group = 0;
  };

  void SelfTestGroup(size_t group);
  PerfCount ReadCounter(const Counter& counter, int& error);
  void Suspect(Counter& counter, uint64_t value);
  void FindLeaders();
  enum class Kind { kSoftware, kClock, kHardware };
  static Kind KindOf(const Event& event);
  void AddLeaders(Kind kind, std::vector<int>& leaders) const;
  CounterReading Reading(size_t index, const CounterSnapshot& from,
                         const CounterSnapshot& to) const;

  PerfSystem& system_;
  CounterOpener opener_;
  std::vector<Counter> counters_;
  std::vector<int> first_on_;
  std::vector<int> last_on_;
};

}  // namespace metrics
