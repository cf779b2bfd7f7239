// How threads sleep and wake around a group commit: two small users of the futex system call.
//
// Thread rule: all calls from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace burin {

// The right to write to the log. Passed on by Release to one waiter.
class Baton {
 public:
  void Acquire();
  void Release();

 private:
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

  void Ring(uint32_t bits);

 private:
  void Sleep(uint32_t rings, uint32_t bit);

  std::atomic<uint32_t> rings_{0};
  std::atomic<uint32_t> sleepers_{0};
};

}  // namespace burin
