#include "engine/log/waiting.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace burin {
namespace {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t), "the kernel sees the bare word");

void FutexWait(std::atomic<uint32_t>& word, uint32_t expected, uint32_t bits) {
  // Every way to return (woken, changed before, a signal) leads the caller to look again.
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected, nullptr, nullptr, bits);
}

void FutexWake(std::atomic<uint32_t>& word, int how_many, uint32_t bits) {
  syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, how_many, nullptr, nullptr, bits);
}

}  // namespace

void Baton::Acquire() {
  uint32_t state = 0;
  if (state_.compare_exchange_strong(state, 1, std::memory_order_acquire)) return;
  while (state_.exchange(2, std::memory_order_acquire) != 0) {
    FutexWait(state_, 2, FUTEX_BITSET_MATCH_ANY);
  }
}

void Baton::Release() {
  if (state_.exchange(0, std::memory_order_release) == 2) {
    FutexWake(state_, 1, FUTEX_BITSET_MATCH_ANY);
  }
}

void GroupBell::Ring(uint32_t bits) {
  rings_.fetch_add(1);
  if (sleepers_.load() != 0) FutexWake(rings_, 0x7fffffff, bits);
}

void GroupBell::Sleep(uint32_t rings, uint32_t bit) { FutexWait(rings_, rings, bit); }

}  // namespace burin
