#include "engine/table/slot_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "engine/table/pages.h"

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
  if (at_once) return MapPages(bytes);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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
