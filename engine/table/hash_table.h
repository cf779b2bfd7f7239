// The newest version of each key: a hash table of fixed size with open addressing, which many
// threads fill at once without locks and which never moves a key.
//
// A slot is a key word and a version word. A key word is written once, by compare-and-swap; who
// wrote it owns the slot until it has stored the first version, so a slot with a key and without a
// version is a claim in progress. Keys are stored xor INT64_MIN, so that zeroed memory is an empty
// table; INT64_MIN itself lives in a slot at the side. Probe lengths are capped: keys chosen to
// collide make the table full early, but nothing slow.
// Thread rule: any thread at any time.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/table/key_blocks.h"
#include "engine/table/record.h"
#include "engine/table/slot_memory.h"

namespace burin {

class HashTable {
 public:
  struct Slot {
    std::atomic<uint64_t> key;
    std::atomic<uint64_t> version;  // a VersionRef's word
  };

  static constexpr uint64_t kMaxProbes = 256;

  // `slots`: a power of two. `at_once`: see SlotMemory::Get.
  HashTable(SlotMemory& memory, uint64_t slots, bool at_once);
  ~HashTable();
  HashTable(const HashTable&) = delete;
  HashTable& operator=(const HashTable&) = delete;

  // How a key stands in a slot, and back.
  static uint64_t WordOf(int64_t key) { return static_cast<uint64_t>(key) ^ kFlip; }
  static int64_t KeyOf(uint64_t word) { return static_cast<int64_t>(word ^ kFlip); }

  bool ok() const { return slots_ != nullptr; }  // false: out of memory

  void Prefetch(uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask_], 1); }

  // Told by whoever claims a key, before; so that others can pass over a range.
  KeyBlocks& key_blocks() { return key_blocks_; }
  const KeyBlocks& key_blocks() const { return key_blocks_; }

  // The slot of `key`, or null when the table does not have it.
  const Slot* Find(int64_t key, uint64_t hash) const;

  struct Claim {
    Slot* slot = nullptr;  // null: no place within the probe limit
    bool mine = false;     // the key was new: the caller must store a version
  };
  Claim FindOrClaim(uint64_t word, uint64_t hash) {
    if (word == 0) return ClaimSide();
    uint64_t at = hash & mask_;
    for (uint64_t probes = 0; probes < kMaxProbes; ++probes, at = (at + 1) & mask_) {
      Slot& slot = slots_[at];
      uint64_t found = slot.key.load(std::memory_order_acquire);
      if (found == 0 && slot.key.compare_exchange_strong(found, word, std::memory_order_acq_rel)) {
        return {&slot, true};
      }
      if (found == word) return {&slot, false};
    }
    return {};
  }

  // Calls `each(key, version)` for every key that has a version, in no order.
  template <typename Each>
  void ForEach(Each each) const {
    const auto visit = [&](const Slot& slot) {
      const uint64_t word = slot.key.load(std::memory_order_acquire);
      const VersionRef version{slot.version.load(std::memory_order_acquire)};
      if (version) each(KeyOf(word), version);
    };
    for (uint64_t at = 0; at <= mask_; ++at) {
      if (slots_[at].key.load(std::memory_order_relaxed) != 0) visit(slots_[at]);
    }
    visit(side_);
  }

 private:
  static constexpr uint64_t kFlip = uint64_t{1} << 63;

  Claim ClaimSide();

  SlotMemory& memory_;
  const uint64_t mask_;
  const bool at_once_;
  Slot* const slots_;
  KeyBlocks key_blocks_;
  Slot side_{};
  std::atomic<bool> side_taken_{false};
};

}  // namespace burin
