// Where the load threads meet: a start line that opens for all of them at once, or is called off;
// and a finish line behind which none leaves before the last has come.
//
// Both sleep rather than spin, as CPU time spent waiting would be counted. The last thread at a
// line does what is to happen there while all others stand still.
// Thread rule: Arrive once per thread, Cancel from any thread.
#pragma once

#include <atomic>
#include <functional>

namespace throughput {

class StartLine {
 public:
  // `open` is called by the last of `threads` to arrive, before any of them goes on.
  StartLine(int threads, std::function<void()> open) : threads_(threads), open_(std::move(open)) {}

  bool Arrive();  // sleeps until the line opens (true) or is called off (false)

  // Calls it off unless it has opened or is opening; how many threads had arrived.
  int Cancel();

 private:
  enum State : int { kWaiting, kOpening, kOpen, kCancelled };

  const int threads_;
  const std::function<void()> open_;
  std::atomic<int> arrived_{0};
  std::atomic<int> state_{kWaiting};
};

class FinishLine {
 public:
  // `close` is called by the last of `threads` to arrive, before any of them is released.
  FinishLine(int threads, std::function<void()> close)
      : missing_(threads), close_(std::move(close)) {}

  void Arrive();  // sleeps until all have arrived

 private:
  std::atomic<int> missing_;
  const std::function<void()> close_;
  std::atomic<int> closed_{0};
};

}  // namespace throughput
