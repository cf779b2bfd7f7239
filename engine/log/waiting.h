// How threads sleep and wake around a group commit: two small users of the futex system call.
//
// Thread rule: all calls from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace burin {

// A lock that whichever thread ends what the taker began may give back.
class Baton {
 public:
  void Acquire() {
    if (!TryAcquire()) AcquireSlowly(Clock::time_point::max());
  }
  bool AcquireWithin(std::chrono::milliseconds timeout) {  // false: not had in that time
    return TryAcquire() || AcquireSlowly(Clock::now() + timeout);
  }
  void Release() {
    if (state_.exchange(0, std::memory_order_release) == 2) WakeOne();
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool TryAcquire() {
    uint32_t state = 0;
    return state_.compare_exchange_strong(state, 1, std::memory_order_acquire);
  }
  bool AcquireSlowly(Clock::time_point deadline);
  void WakeOne();

  std::atomic<uint32_t> state_{0};  // 0 free, 1 held, 2 held and someone may sleep
};

// Lets the members of a group sleep until it is finished, and wakes them, and hardly anyone else,
// with one system call. Each sleeper has a bit; beyond 32 sleepers bits are shared, which costs
// spurious wake-ups only.
class GroupBell {
 public:
  static uint32_t BitOf(uint32_t sleeper) { return 1U << (sleeper % 32); }

  // Sleeps until `done` answers true; `done` must turn true before Ring is called for `bit`.
  template <typename Done>
  void SleepUntil(uint32_t bit, Done done) {
    if (done()) return;
    sleepers_.fetch_add(1);
    for (;;) {
      const uint32_t rings = rings_.load();
      if (done()) break;
      Sleep(rings, bit);
    }
    sleepers_.fetch_sub(1);
  }

  void Ring(uint32_t bits) {
    rings_.fetch_add(1);
    if (sleepers_.load() != 0) Wake(bits);
  }

 private:
  void Sleep(uint32_t rings, uint32_t bit);
  void Wake(uint32_t bits);

  std::atomic<uint32_t> rings_{0};
  std::atomic<uint32_t> sleepers_{0};
};

}  // namespace burin
