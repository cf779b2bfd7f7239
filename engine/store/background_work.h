// One checkpoint or merge while it runs: shows that it runs, counts what it costs as the cost
// arises, and holds it back so that the writers keep the disk.
//
// The limit follows the writers: since its start a task may write `share` times what they have
// added to the log, and a little at all times. So it cannot fall behind them for ever, ends soon
// once they rest, and does not take the disk from them in one burst. Who waits for it lifts the
// limit. Thread rule: a BackgroundTask by the thread that works; counts and limit from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace burin {

struct BackgroundCounts {
  std::atomic<uint64_t> checkpoints{0};  // done
  std::atomic<uint64_t> merges{0};       // done
  std::atomic<uint64_t> bytes{0};        // written to runs
  std::atomic<uint64_t> cpu_ns{0};
  std::atomic<uint32_t> checkpoints_running{0};
  std::atomic<uint32_t> merges_running{0};
};

// The limit on what tasks write.
class BackgroundLimit {
 public:
  // `log_bytes`: how many the log has; from any thread.
  explicit BackgroundLimit(std::function<uint64_t()> log_bytes)
      : log_bytes_(std::move(log_bytes)) {}

  bool holds() const { return hurries_.load(std::memory_order_relaxed) == 0; }
  uint64_t log_bytes() const { return log_bytes_(); }

  void BeginHurry() { ++hurries_; }
  void EndHurry() { --hurries_; }

 private:
  const std::function<uint64_t()> log_bytes_;
  std::atomic<uint32_t> hurries_{0};  // while there is any, nobody is held back
};

// Lifts a limit, where there is one, for as long as it lives.
class Hurry {
 public:
  explicit Hurry(BackgroundLimit* limit) : limit_(limit) {
    if (limit_ != nullptr) limit_->BeginHurry();
  }
  ~Hurry() {
    if (limit_ != nullptr) limit_->EndHurry();
  }
  Hurry(const Hurry&) = delete;
  Hurry& operator=(const Hurry&) = delete;

 private:
  BackgroundLimit* const limit_;
};

class BackgroundTask {
 public:
  enum class Kind { kCheckpoint, kMerge };

  // `limit` null: there is none.
  BackgroundTask(BackgroundCounts& counts, Kind kind, const BackgroundLimit* limit, uint64_t share);
  ~BackgroundTask();
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;

  // The run has `bytes` so far. Waits while that is more than the limit allows.
  void Wrote(uint64_t bytes);

 private:
  bool AheadOfLimit() const;
  void CountCpu();

  BackgroundCounts& counts_;
  std::atomic<uint32_t>& running_;
  const BackgroundLimit* const limit_;
  const uint64_t share_;
  const std::chrono::steady_clock::time_point begin_;
  const uint64_t log_bytes_at_begin_;
  uint64_t bytes_ = 0;
  uint64_t cpu_ns_;  // of the thread, when it was last counted
};

}  // namespace burin
