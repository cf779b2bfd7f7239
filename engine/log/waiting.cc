#include "engine/log/waiting.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace burin {
namespace {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t), "the kernel sees the bare word");

// `deadline`: of CLOCK_MONOTONIC; null: none.
void FutexWait(std::atomic<uint32_t>& word, uint32_t expected, uint32_t bits,
               const timespec* deadline) {
  // Every way to return (woken, changed before, late, a signal) leads the caller to look again.
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected, deadline, nullptr, bits);
}

void FutexWake(std::atomic<uint32_t>& word, int how_many, uint32_t bits) {
  syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, how_many, nullptr, nullptr, bits);
}

}  // namespace

bool Baton::AcquireSlowly(Clock::time_point deadline) {
  const bool bounded = deadline != Clock::time_point::max();
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(
      deadline.time_since_epoch());  // libstdc++'s steady clock is CLOCK_MONOTONIC
  const timespec until = {since.count() / 1'000'000'000, since.count() % 1'000'000'000};
  while (state_.exchange(2, std::memory_order_acquire) != 0) {
    if (bounded && Clock::now() >= deadline) return false;  // the 2 costs a wake-up of nobody
    FutexWait(state_, 2, FUTEX_BITSET_MATCH_ANY, bounded ? &until : nullptr);
  }
  return true;
}

void Baton::WakeOne() { FutexWake(state_, 1, FUTEX_BITSET_MATCH_ANY); }

void GroupBell::Sleep(uint32_t rings, uint32_t bit) { FutexWait(rings_, rings, bit, nullptr); }

void GroupBell::Wake(uint32_t bits) { FutexWake(rings_, 0x7fffffff, bits); }

}  // namespace burin
