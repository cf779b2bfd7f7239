#include "engine/table/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "engine/log/format.h"

namespace burin {
namespace {

constexpr size_t kCacheLine = 64;

}  // namespace

Chunk::Chunk(size_t mapped_bytes)
    : mapped_bytes_(mapped_bytes),
      cursor_(reinterpret_cast<char*>(this) + RoundUp(sizeof(Chunk), kCacheLine)) {}

Chunk* Chunk::Make(size_t bytes) {
  const size_t wanted =
      std::max(kStandardBytes, RoundUp(bytes + RoundUp(sizeof(Chunk), kCacheLine), kBlockBytes));
  void* memory = mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  return new (memory) Chunk(wanted);
}

void Chunk::Unref() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  munmap(this, mapped_bytes_);
}

}  // namespace burin
