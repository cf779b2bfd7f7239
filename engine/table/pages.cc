#include "engine/table/pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace burin {

void* MapPages(size_t bytes) {
  const size_t alignment = bytes >= kHugePageBytes ? kHugePageBytes : 1;
  const size_t reserved = bytes + alignment - 1;
  void* memory =
      mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  char* const begin = static_cast<char*>(memory);
  const size_t before = (alignment - reinterpret_cast<uintptr_t>(begin) % alignment) % alignment;
  if (before != 0) munmap(begin, before);
  if (alignment - 1 > before) munmap(begin + before + bytes, alignment - 1 - before);
  // Both are favours: a system that does not do them maps page by page on first touch.
  if (alignment != 1) madvise(begin + before, bytes, MADV_HUGEPAGE);
  madvise(begin + before, bytes, MADV_POPULATE_WRITE);
  return begin + before;
}

}  // namespace burin
