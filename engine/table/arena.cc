#include "engine/table/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "engine/log/format.h"

namespace burin {
namespace {

constexpr size_t kCacheLine = 64;

}  // namespace

ChunkPool::~ChunkPool() {
  for (Chunk* chunk : kept_) munmap(chunk, chunk->mapped_bytes_);
}

Chunk* ChunkPool::Get(size_t bytes) {
  const size_t wanted = std::max(Chunk::kStandardBytes,
                                 RoundUp(bytes + RoundUp(sizeof(Chunk), kCacheLine), kBlockBytes));
  if (wanted == Chunk::kStandardBytes) {
    const std::lock_guard lock(mutex_);
    if (!kept_.empty()) {
      Chunk* chunk = kept_.back();
      kept_.pop_back();
      return new (chunk) Chunk(*this, wanted);
    }
  }
  void* memory = mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  return new (memory) Chunk(*this, wanted);
}

void ChunkPool::TakeBack(Chunk* chunk) {
  if (chunk->mapped_bytes_ == Chunk::kStandardBytes) {
    const std::lock_guard lock(mutex_);
    if (kept_.size() < max_kept_) {
      kept_.push_back(chunk);
      return;
    }
  }
  munmap(chunk, chunk->mapped_bytes_);
}

Chunk::Chunk(ChunkPool& pool, size_t mapped_bytes)
    : pool_(pool),
      mapped_bytes_(mapped_bytes),
      cursor_(reinterpret_cast<char*>(this) + RoundUp(sizeof(Chunk), kCacheLine)) {}

void Chunk::Unref() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) pool_.TakeBack(this);
}

}  // namespace burin
