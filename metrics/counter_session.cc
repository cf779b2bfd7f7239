// A CounterSet of this process and the two snapshots that bound its window.
#include "metrics/counter_session.h"

#include <mutex>
#include <utility>

#include "metrics/counter_set.h"

namespace metrics {
namespace {

// What `whole` has beyond `before`, both measured from the same beginning.
CounterReading Piece(const CounterReading& whole, const CounterReading* before) {
  CounterReading piece = whole;
  if (before != nullptr) {
    piece.value -= before->value;
    piece.enabled_ns -= before->enabled_ns;
    piece.running_ns -= before->running_ns;
  }
  const bool judged_by_time =
      piece.source == "perf" &&
      (piece.status == CounterStatus::kCounted || piece.status == CounterStatus::kNotCounted);
  if (!judged_by_time) return piece;
  // No thread ran at all: that is a count of 0.
  if (piece.enabled_ns == 0) {
    piece.status = CounterStatus::kCounted;
    piece.cause.clear();
  } else if (piece.running_ns == 0 && piece.status == CounterStatus::kCounted) {
    piece.status = CounterStatus::kNotCounted;
    piece.cause = "not on the PMU in this interval";
  }
  return piece;
}

}  // namespace

class CounterSession::Impl {
 public:
  Impl(const std::vector<EventGroup>& groups, PerfSystem& system) : set_(groups, {}, system) {
    set_.SelfTest();
    from_ = latest_ = set_.Read(CounterSet::Edge::kBegin);
  }

  void Start(const std::function<void()>& at_the_edge) {
    const std::lock_guard lock(mutex_);
    sampled_.clear();
    running_ = true;
    from_ = set_.Read(CounterSet::Edge::kBegin);
    set_.EnableFirst();
    if (at_the_edge) at_the_edge();
    set_.ReadUsage(from_);
    latest_ = from_;
    set_.EnableLast();
  }

  // Disables before it waits for the lock, so that a Sample does not prolong the window.
  void Stop(const std::function<void()>& at_the_edge) {
    set_.DisableFirst();
    CounterSnapshot edge;
    set_.ReadUsage(edge);
    if (at_the_edge) at_the_edge();
    set_.DisableLast();
    const std::lock_guard lock(mutex_);
    if (!std::exchange(running_, false)) return;
    // A Sample meanwhile may have read later: pieces are not to be negative.
    if (edge.monotonic_ns < latest_.monotonic_ns) edge = latest_;
    latest_ = set_.Read(CounterSet::Edge::kEnd);
    latest_.usage = edge.usage;
    latest_.monotonic_ns = edge.monotonic_ns;
  }

  std::vector<CounterReading> Sample() {
    const std::lock_guard lock(mutex_);
    if (running_) latest_ = set_.Read(CounterSet::Edge::kEnd);
    std::vector<CounterReading> whole = set_.Readings(from_, latest_);
    std::vector<CounterReading> pieces;
    for (size_t i = 0; i < whole.size(); ++i) {
      pieces.push_back(Piece(whole[i], sampled_.empty() ? nullptr : &sampled_[i]));
    }
    sampled_ = std::move(whole);
    return pieces;
  }

  std::vector<CounterReading> Readings() const {
    const std::lock_guard lock(mutex_);
    return set_.Readings(from_, latest_);
  }

 private:
  mutable std::mutex mutex_;  // guards all but the descriptors of set_
  CounterSet set_;
  bool running_ = false;
  CounterSnapshot from_;
  CounterSnapshot latest_;
  std::vector<CounterReading> sampled_;  // the whole at the last Sample; empty: none yet
};

CounterSession::CounterSession(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CounterSession::~CounterSession() = default;

std::unique_ptr<CounterSession> CounterSession::Open(const std::vector<EventGroup>& groups,
                                                     PerfSystem& system) {
  return std::unique_ptr<CounterSession>(
      new CounterSession(std::make_unique<Impl>(groups, system)));
}

void CounterSession::Start(const std::function<void()>& at_the_edge) { impl_->Start(at_the_edge); }
void CounterSession::Stop(const std::function<void()>& at_the_edge) { impl_->Stop(at_the_edge); }
std::vector<CounterReading> CounterSession::Sample() { return impl_->Sample(); }
std::vector<CounterReading> CounterSession::Readings() const { return impl_->Readings(); }

}  // namespace metrics
