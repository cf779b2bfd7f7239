#include "apps/write-throughput/load_thread.h"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <thread>

namespace throughput {

void LoadControl::Fail(std::string text) {
  {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(text);
  }
  Stop();
}

std::optional<std::string> LoadControl::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

LoadThread::LoadThread(const LoadPlan& plan, int index, const Values& values,
                       std::unique_ptr<Connection> connection, LoadControl& control)
    : plan_(plan),
      index_(index),
      control_(control),
      connection_(std::move(connection)),
      cursor_(values),
      open_(plan.pipelined ? plan.in_flight : 0) {
  commit_latency_ns_.Reserve();
  if (plan.rate) arrival_log_.service_ns.Reserve();
}

void LoadThread::RunPhase(Phase phase, PhaseMeter* meter) {
  phase_ = phase;
  meter_ = meter;
  if (meter_ != nullptr) meter_->Start();
  last_clock_ = Clock::now();
  if (phase == Phase::kMeasured) started_at_ = last_clock_;
  if (plan_.rate) {
    arrivals_.emplace(*plan_.rate, plan_.layout.threads, index_, last_clock_);
    // The default slack of 50 us would count as latency of every transaction.
    prctl(PR_SET_TIMERSLACK, 1);
  }
  try {
    RunTransactions(phase);
  } catch (const std::exception& error) {
    DoubtAllOpen();
    control_.Fail(fmt::format("load thread {}: {}", index_, error.what()));
  }
  if (meter_ != nullptr) split_ = meter_->Stop();
}

void LoadThread::RunTransactions(Phase phase) {
  const bool counted = phase == Phase::kMeasured && plan_.layout.iterations;
  const int64_t last = counted ? *plan_.layout.iterations : std::numeric_limits<int64_t>::max();
  const auto time = phase == Phase::kMeasured ? plan_.duration : plan_.warmup;
  const Clock::time_point end = counted ? Clock::time_point::max() : last_clock_ + time;
  PhaseLog& log = current_log();
  while (log.begun < last && last_clock_ < end && !control_.stopping()) {
    if (!MakeRoom()) break;
    const Clock::time_point due_at = arrivals_ ? arrivals_->Due(log.begun) : last_clock_;
    if (due_at >= end || (arrivals_ && !AwaitArrival(log.begun, due_at))) break;
    Attempted transaction{log.begun++, last_clock_, due_at, std::nullopt};
    if (!Run(transaction)) break;
  }
  Drain();
}

// In the ring, for one more. False: a failure.
bool LoadThread::MakeRoom() {
  // One that met a conflict is run anew and fills the place that it left.
  while (plan_.pipelined && open_count_ == open_.size()) {
    if (!AwaitOldest()) return false;
  }
  return true;
}

// In an open loop, until the transaction is due; a thread that is idle until then asks for what it
// submitted. False: a failure, or the load is to stop.
bool LoadThread::AwaitArrival(int64_t iteration, Clock::time_point due_at) {
  while (last_clock_ < due_at && !control_.stopping()) {
    if (open_count_ == 0) {
      Sleep(due_at);
    } else if (!AwaitOldest()) {
      return false;
    }
    last_clock_ = Clock::now();
  }
  if (phase_ == Phase::kMeasured) {
    const int64_t begun = iteration + 1;
    const int64_t left = plan_.layout.iterations.value_or(std::numeric_limits<int64_t>::max());
    arrival_log_.behind_last = arrivals_->Waiting(begun, last_clock_);
    arrival_log_.backlog_last = std::min(arrival_log_.behind_last, left - begun);
    arrival_log_.backlog_most = std::max(arrival_log_.backlog_most, arrival_log_.backlog_last);
  }
  return !control_.stopping();
}

// At most as long as an order to stop may wait.
void LoadThread::Sleep(Clock::time_point until) {
  constexpr std::chrono::milliseconds kPatience(50);
  std::this_thread::sleep_until(std::min(until, last_clock_ + kPatience));
}

// Until it is acknowledged, or submitted where the mode is pipelined. False: given up.
bool LoadThread::Run(Attempted& transaction) {
  for (;;) {
    bool committing = false;
    const Outcome outcome = Try(transaction, committing);
    if (outcome == Outcome::kOk) [[likely]] {
      if (plan_.pipelined) {
        open_[(oldest_ + open_count_++) % open_.size()] = transaction;
      } else {
        last_clock_ = Clock::now();
        Acknowledge(transaction, last_clock_);
      }
      return true;
    }
    PhaseLog& log = current_log();
    if (outcome == Outcome::kFailed) {
      // A commit that fails may still have reached the device.
      (committing ? log.in_doubt : log.refused).push_back(transaction.iteration);
      FailWithConnectionError();
      connection_->Rollback();  // others may wait for its locks
      return false;
    }
    connection_->Rollback();
    if (!MayRetry(transaction, outcome)) {
      log.refused.push_back(transaction.iteration);
      return false;
    }
    std::this_thread::yield();
  }
}

Outcome LoadThread::Try(Attempted& transaction, bool& committing) {
  if (const Outcome outcome = connection_->Begin(); outcome != Outcome::kOk) return outcome;
  Enter(LoadPhase::kCompute);
  plan_.compute.Run();
  Enter(LoadPhase::kInsert);
  const int64_t batch_size = plan_.layout.batch_size;
  const int64_t block = plan_.layout.Block(phase_, index_, transaction.iteration);
  cursor_.Start(phase_, block * batch_size);
  uint64_t row_bytes = static_cast<uint64_t>(batch_size) * sizeof(int64_t);
  for (int64_t row = 0; row < batch_size; ++row) {
    const std::string_view value = cursor_.value();
    row_bytes += value.size();
    const Outcome outcome = connection_->Insert(cursor_.id(), value);
    if (outcome != Outcome::kOk) [[unlikely]]
      return outcome;
    cursor_.Advance();
  }
  transaction.row_bytes = row_bytes;
  last_clock_ = Clock::now();
  if (!transaction.commit_called_at) transaction.commit_called_at = last_clock_;
  committing = true;
  Enter(LoadPhase::kCommit);
  const Outcome outcome = plan_.pipelined ? connection_->Submit() : connection_->Commit();
  Enter(LoadPhase::kBegin);
  return outcome;
}

bool LoadThread::MayRetry(const Attempted& transaction, Outcome outcome) {
  if (control_.stopping()) return false;
  if (phase_ == Phase::kMeasured) {
    ++retries_;
    if (outcome == Outcome::kConflict) ++conflicts_;
  }
  if (Clock::now() - transaction.begun_at < plan_.retry_limit) return true;
  const std::string error = connection_->busy_error();
  control_.Fail(fmt::format("a transaction met {} for {} ms (--timeout) and was given up{}{}",
                            outcome == Outcome::kConflict ? "conflicts" : "a busy database",
                            plan_.retry_limit.count(), error.empty() ? "" : "; ", error));
  return false;
}

// Of the oldest open transaction. One that met a conflict is run anew. False: a failure.
bool LoadThread::AwaitOldest() {
  Attempted transaction = open_[oldest_];
  oldest_ = (oldest_ + 1) % open_.size();
  --open_count_;
  Enter(LoadPhase::kCommit);
  const Completion completion = connection_->Await();
  Enter(LoadPhase::kBegin);
  switch (completion.outcome) {
    case Outcome::kOk:
      Acknowledge(transaction, completion.durable_at);
      return true;
    case Outcome::kFailed:
      current_log().in_doubt.push_back(transaction.iteration);
      FailWithConnectionError();
      return false;
    case Outcome::kConflict:
    case Outcome::kBusy:
      break;
  }
  if (MayRetry(transaction, completion.outcome)) return Run(transaction);
  current_log().refused.push_back(transaction.iteration);
  return !control_.failure();
}

// After a failure the rest of the ring is still asked for: each answers for itself.
void LoadThread::Drain() {
  while (open_count_ > 0) AwaitOldest();
}

void LoadThread::Acknowledge(const Attempted& transaction, Clock::time_point durable_at) {
  if (phase_ != Phase::kMeasured) return;
  const auto latency =
      durable_at - (arrivals_ ? transaction.due_at : *transaction.commit_called_at);
  if (arrivals_) {
    const auto service = durable_at - transaction.begun_at;
    arrival_log_.service_ns.Record(std::chrono::nanoseconds(service).count());
  }
  commit_latency_ns_.Record(std::chrono::nanoseconds(latency).count());
  row_bytes_ += transaction.row_bytes;
  transactions_.store(transactions_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void LoadThread::FailWithConnectionError() {
  const std::string text = connection_->error();
  control_.Fail(text.empty() ? "the engine failed and gave no reason" : text);
}

// An exception tells nothing of the transactions that were under way.
void LoadThread::DoubtAllOpen() {
  PhaseLog& log = current_log();
  if (log.begun > 0) log.in_doubt.push_back(log.begun - 1);
  for (; open_count_ > 0; --open_count_) {
    log.in_doubt.push_back(open_[oldest_].iteration);
    oldest_ = (oldest_ + 1) % open_.size();
  }
  std::sort(log.in_doubt.begin(), log.in_doubt.end());
  log.in_doubt.erase(std::unique(log.in_doubt.begin(), log.in_doubt.end()), log.in_doubt.end());
}

}  // namespace throughput
