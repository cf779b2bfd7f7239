#include "apps/write-throughput/start_line.h"

namespace throughput {

bool StartLine::Arrive() {
  if (arrived_.fetch_add(1) + 1 == threads_) {
    int expected = kWaiting;
    if (!state_.compare_exchange_strong(expected, kOpening)) return false;
    open_();
    state_.store(kOpen);
    state_.notify_all();
    return true;
  }
  for (;;) {
    const int state = state_.load();
    if (state == kOpen || state == kCancelled) return state == kOpen;
    state_.wait(state);
  }
}

int StartLine::Cancel() {
  int expected = kWaiting;
  if (!state_.compare_exchange_strong(expected, kCancelled)) {
    return expected == kCancelled ? arrived_.load() : threads_;
  }
  const int arrived = arrived_.load();
  state_.notify_all();
  return arrived;
}

void FinishLine::Arrive() {
  if (missing_.fetch_sub(1) == 1) {
    close_();
    closed_.store(1);
    closed_.notify_all();
    return;
  }
  while (closed_.load() == 0) closed_.wait(0);
}

}  // namespace throughput
