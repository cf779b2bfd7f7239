// One load thread: transaction after transaction on its own connection, with its own counts.
//
// Thread rule: RunPhase by one thread at a time; transactions() from any thread while it runs, all
// else when it has ended.
// Invariants: no allocation and no shared write per row; per transaction one clock reading, two
// where each commit is awaited. A transaction counts when it has been acknowledged.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include "apps/write-throughput/arrivals.h"
#include "apps/write-throughput/load_plan.h"
#include "apps/write-throughput/phase_meter.h"
#include "apps/write-throughput/targets/target.h"
#include "metrics/histogram.h"

namespace throughput {

inline constexpr size_t kCacheLines =
    128;  // bytes: two lines, as adjacent ones are fetched in pairs

// What the threads of a load have in common: the order to stop, and the first failure.
// Thread rule: from any thread.
class LoadControl {
 public:
  void Stop() { stop_.store(true, std::memory_order_relaxed); }
  bool stopping() const { return stop_.load(std::memory_order_relaxed); }

  void Fail(std::string text);  // keeps the first, and stops
  std::optional<std::string> failure() const;

 private:
  alignas(kCacheLines) std::atomic<bool> stop_{false};
  alignas(kCacheLines) mutable std::mutex mutex_;
  std::optional<std::string> failure_;
};

// What a thread saw of the arrivals of an open loop, within the window.
struct ArrivalLog {
  metrics::Histogram service_ns;  // from the actual start to durable
  int64_t backlog_most = 0;       // due and not begun when a transaction began
  int64_t backlog_last = 0;       // when the last one began
  int64_t behind_last = 0;        // the same, were there no end to the transactions of the load
};

class alignas(kCacheLines) LoadThread {
 public:
  LoadThread(const LoadPlan& plan, int index, const Values& values,
             std::unique_ptr<Connection> connection, LoadControl& control);

  // Runs transactions until the plan's number is reached, the phase's time is over, or the control
  // says stop; returns when all of them are acknowledged or have failed.
  // `meter` is this thread's own, or null: nothing is split.
  void RunPhase(Phase phase, PhaseMeter* meter = nullptr);

  int64_t transactions() const { return transactions_.load(std::memory_order_relaxed); }

  const PhaseLog& log(Phase phase) const { return logs_[static_cast<size_t>(phase)]; }
  // From the commit call to durable; in an open loop from the intended start.
  const metrics::Histogram& commit_latency_ns() const { return commit_latency_ns_; }
  const ArrivalLog& arrivals() const { return arrival_log_; }
  int64_t retries() const { return retries_; }
  int64_t conflicts() const { return conflicts_; }
  uint64_t row_bytes() const { return row_bytes_; }                  // acknowledged in the window
  const std::optional<PhaseSplit>& split() const { return split_; }  // where there was a meter
  Clock::time_point started_at() const { return started_at_; }  // first instruction of the window

 private:
  struct Attempted {
    int64_t iteration = 0;
    Clock::time_point begun_at;
    Clock::time_point due_at;                           // begun_at in a closed loop
    std::optional<Clock::time_point> commit_called_at;  // of the first attempt
    uint64_t row_bytes = 0;
  };

  void RunTransactions(Phase phase);
  bool MakeRoom();
  [[gnu::noinline]] bool AwaitArrival(int64_t iteration, Clock::time_point due_at);
  void Sleep(Clock::time_point until);
  bool Run(Attempted& transaction);
  Outcome Try(Attempted& transaction, bool& committing);
  [[gnu::cold]] bool MayRetry(const Attempted& transaction, Outcome outcome);
  bool AwaitOldest();
  void Drain();
  void Acknowledge(const Attempted& transaction, Clock::time_point durable_at);
  [[gnu::cold]] void FailWithConnectionError();
  void DoubtAllOpen();

  void Enter(LoadPhase phase) {
    if (meter_ != nullptr) [[unlikely]]
      meter_->Switch(phase);
  }
  PhaseLog& current_log() { return logs_[static_cast<size_t>(phase_)]; }

  const LoadPlan& plan_;
  const int index_;
  LoadControl& control_;
  const std::unique_ptr<Connection> connection_;
  RowCursor cursor_;

  Phase phase_ = Phase::kWarmup;
  PhaseMeter* meter_ = nullptr;
  Clock::time_point last_clock_;  // the latest reading: saves others
  std::vector<Attempted> open_;   // a ring of those submitted and not yet acknowledged
  size_t oldest_ = 0;
  size_t open_count_ = 0;

  PhaseLog logs_[2];
  metrics::Histogram commit_latency_ns_;
  std::optional<Arrivals> arrivals_;  // of the phase
  ArrivalLog arrival_log_;
  int64_t retries_ = 0;
  int64_t conflicts_ = 0;
  uint64_t row_bytes_ = 0;
  Clock::time_point started_at_;
  std::optional<PhaseSplit> split_;

  alignas(kCacheLines) std::atomic<int64_t> transactions_{0};  // acknowledged in the window
};

}  // namespace throughput
