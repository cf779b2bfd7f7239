#include "engine/table/hash_table.h"

namespace burin {

HashTable::HashTable(SlotMemory& memory, uint64_t slots, bool at_once)
    : memory_(memory),
      mask_(slots - 1),
      at_once_(at_once),
      slots_(static_cast<Slot*>(memory.Get(slots * sizeof(Slot), at_once))),
      key_blocks_(slots) {}

HashTable::~HashTable() {
  if (slots_ != nullptr) memory_.TakeBack(slots_, (mask_ + 1) * sizeof(Slot), at_once_);
}

const HashTable::Slot* HashTable::Find(int64_t key, uint64_t hash) const {
  const uint64_t word = WordOf(key);
  if (word == 0) return &side_;
  uint64_t at = hash & mask_;
  for (uint64_t probes = 0; probes < kMaxProbes; ++probes, at = (at + 1) & mask_) {
    const uint64_t found = slots_[at].key.load(std::memory_order_acquire);
    if (found == word) return &slots_[at];
    if (found == 0) return nullptr;
  }
  return nullptr;
}

HashTable::Claim HashTable::ClaimSide() {
  return {&side_, !side_taken_.exchange(true, std::memory_order_acq_rel)};
}

}  // namespace burin
