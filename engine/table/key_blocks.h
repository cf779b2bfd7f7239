// Which blocks of neighbouring keys a hash table may have keys of: a bit per block. Tells of a new
// range of keys that the table has none of them, at a load per block instead of a probe per key.
// Blocks share bits, so that the answer "may" can be wrong; and with keys all over the place it
// mostly is "may". The bits of neighbouring blocks lie in one cache line, as they are used one
// after the other.
//
// Thread rule: any thread at any time; whoever must see what was noted has to be ordered behind it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/hash.h"

namespace burin {

class KeyBlocks {
 public:
  // `bits`: a power of two, at least 64.
  explicit KeyBlocks(uint64_t bits)
      : mask_(bits - 1), words_(std::make_unique<std::atomic<uint64_t>[]>(bits / 64)) {}

  static int64_t BlockOf(int64_t key) { return key >> 6; }

  void Note(int64_t block) {
    const uint64_t at = BitOf(block);
    std::atomic<uint64_t>& word = words_[at / 64];
    const uint64_t bit = uint64_t{1} << at % 64;
    if ((word.load(std::memory_order_relaxed) & bit) == 0) {
      word.fetch_or(bit, std::memory_order_relaxed);
    }
  }

  // False: certainly no key within [first, last].
  bool MayHave(int64_t first, int64_t last) const {
    constexpr int64_t kMostBlocks = 64;  // a wider range costs more than it is worth
    if (BlockOf(last) - BlockOf(first) >= kMostBlocks) return true;
    for (int64_t block = BlockOf(first); block <= BlockOf(last); ++block) {
      const uint64_t at = BitOf(block);
      if ((words_[at / 64].load(std::memory_order_relaxed) >> at % 64 & 1) != 0) return true;
    }
    return false;
  }

 private:
  static constexpr uint64_t kLineBits = 512;

  uint64_t BitOf(int64_t block) const {
    const auto number = static_cast<uint64_t>(block);
    return (FxHash64(number / kLineBits) * kLineBits + number % kLineBits) & mask_;
  }

  const uint64_t mask_;
  const std::unique_ptr<std::atomic<uint64_t>[]> words_;
};

}  // namespace burin
