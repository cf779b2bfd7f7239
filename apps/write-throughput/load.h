// Runs the load: one oneTBB worker per load thread, a start line, the window, a finish line. The
// calling thread only watches: the clock of the start line, the order to stop, and the tickers.
//
// oneTBB promises no concurrency: N tasks that wait for one another hang where fewer than N threads
// come. Hence a thread limit of N + 1, an arena without a place for the caller, and a deadline.
// Thread rule: one Load at a time in a process; everything but `hooks` in the calling thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/write-throughput/load_plan.h"
#include "apps/write-throughput/load_thread.h"
#include "apps/write-throughput/targets/target.h"

namespace throughput {

// What is to happen at the ends of the window, in the last thread to arrive there.
struct WindowHooks {
  std::function<void()> open;
  std::function<void()> close;
};

struct LoadSample {
  std::chrono::nanoseconds since_open{0};
  int64_t transactions = 0;  // acknowledged so far in the window
};

// Called by the watching thread every `period` of the window.
struct Ticker {
  std::chrono::nanoseconds period;
  std::function<void(const LoadSample&)> tick;
};

struct Watch {
  int stop_descriptor = -1;  // readable: stop; -1: nobody stops it
  std::vector<Ticker> tickers;
};

struct LoadResult {
  bool measured = false;     // the window was opened and closed
  bool interrupted = false;  // stopped by the descriptor
  std::optional<std::string> failure;
  double start_skew_us = 0;  // first to last thread's first instruction behind the start line
};

class Load {
 public:
  // A connection for each thread of the plan; `values` outlives the load.
  Load(const LoadPlan& plan, const Values& values,
       std::vector<std::unique_ptr<Connection>> connections, WindowHooks hooks);
  ~Load();  // ends the connections

  // Once. Returns when every thread that started has ended.
  LoadResult Run(const Watch& watch);

  const std::vector<std::unique_ptr<LoadThread>>& threads() const;

 private:
  struct Shared;
  class Task;
  class Watcher;
  std::shared_ptr<Shared> shared_;
};

}  // namespace throughput
