// Counters of a whole process over a window.
//
//   auto session = CounterSession::Open(DefaultEvents());   // before the process has threads
//   ...start threads, line them up...
//   session->Start();  ...the window...  session->Stop();    // while the threads live
//   Selection shown = SelectShown(session->Readings(), CounterMode::kAuto);
//
// Events are inherited: every thread made after Open is counted, those that end early, too. A
// missing event never fails a run; its reading says what happened. task-clock, cpu-clock,
// page-faults, minor-faults, major-faults and context-switches without modifiers always have a
// figure: from getrusage where perf refuses them or would count the user's part only;
// cpu-migrations then comes from /proc where that has it.
//
// Thread rule: Open before the first other thread of the process; Start, Sample, Stop and Readings
// from any thread (a lock orders them).
// Invariants: all figures are differences to what was read in Start; nothing is ever reset. Samples
// of one window add up to its Readings exactly.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "metrics/counter_reading.h"
#include "metrics/events.h"
#include "metrics/perf_system.h"

namespace metrics {

class CounterSession {
 public:
  // Raises the soft limit of open files, opens every event (disabled) on every kind of core, and
  // runs the self-test, in about a millisecond.
  static std::unique_ptr<CounterSession> Open(const std::vector<EventGroup>& groups,
                                              PerfSystem& system = PerfSystem::Kernel());
  ~CounterSession();  // closes all
  CounterSession(const CounterSession&) = delete;
  CounterSession& operator=(const CounterSession&) = delete;

  // Opens the window: takes the baseline, calls `at_the_edge`, and enables what counts time, cycles
  // and the like last. Who times the window reads the clock there: then no CPU time is counted
  // outside of it, and nothing that takes long is in it.
  void Start(const std::function<void()>& at_the_edge = {});

  // Closes it likewise: disables those first, calls `at_the_edge`, and then reads. The
  // window can be opened anew afterwards. Without a Start before it counts nothing.
  void Stop(const std::function<void()>& at_the_edge = {});

  // What was counted since the previous Sample of this window, or since Start. The last Sample may
  // come after Stop. Under multiplexing a piece can be negative, where the estimate for the whole
  // went down; an event that was not scheduled during the piece is kNotCounted in it.
  std::vector<CounterReading> Sample();

  // The window from Start to Stop, one reading for each event in the order of `groups`.
  std::vector<CounterReading> Readings() const;

 private:
  class Impl;
  explicit CounterSession(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace metrics
