#include "engine/table/hash_table.h"

#include <sys/mman.h>

namespace burin {

HashTable::HashTable(uint64_t slots) : mask_(slots - 1) {
  void* memory = mmap(nullptr, slots * sizeof(Slot), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  slots_ = static_cast<Slot*>(memory);
}

HashTable::~HashTable() {
  if (slots_ != nullptr) munmap(slots_, (mask_ + 1) * sizeof(Slot));
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
