// The memory of hash tables: zeroed, and mapped before it is used.
//
// A slot is first read and then written; on memory that is not mapped yet each page would cost two
// faults, and the second one interrupts every other processor. So pages are mapped in one go, and
// the memory of a table that is not needed any more is cleared and used again.
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace burin {

class SlotMemory {
 public:
  explicit SlotMemory(size_t max_kept) : max_kept_(max_kept) {}
  ~SlotMemory();
  SlotMemory(const SlotMemory&) = delete;
  SlotMemory& operator=(const SlotMemory&) = delete;

  // Zeroed. `at_once`: all pages are mapped now, for a table that is going to be filled. Null: out
  // of memory.
  void* Get(size_t bytes, bool at_once);

  void TakeBack(void* memory, size_t bytes, bool mapped);

 private:
  const size_t max_kept_;
  std::mutex mutex_;
  std::vector<std::pair<void*, size_t>> kept_;
};

}  // namespace burin
