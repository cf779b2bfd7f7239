#include "engine/table/slot_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace burin {

SlotMemory::~SlotMemory() {
  for (const auto& [memory, bytes] : kept_) munmap(memory, bytes);
}

void* SlotMemory::Get(size_t bytes, bool at_once) {
  if (at_once) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(kept_.begin(), kept_.end(),
                                    [bytes](const auto& one) { return one.second == bytes; });
    if (found != kept_.end()) {
      void* memory = found->first;
      kept_.erase(found);
      return memory;
    }
  }
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at_once ? MAP_POPULATE : 0);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  return memory != MAP_FAILED ? memory : nullptr;
}

void SlotMemory::TakeBack(void* memory, size_t bytes, bool mapped) {
  if (mapped) {
    std::memset(memory, 0, bytes);
    const std::lock_guard lock(mutex_);
    if (kept_.size() < max_kept_) {
      kept_.emplace_back(memory, bytes);
      return;
    }
  }
  munmap(memory, bytes);
}

}  // namespace burin
