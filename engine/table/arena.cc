#include "engine/table/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "engine/log/format.h"
#include "engine/table/pages.h"

namespace burin {
namespace {

constexpr size_t kCacheLine = 64;

static_assert(kHugePageBytes == 2 * Chunk::kStandardBytes);

}  // namespace

ChunkPool::ChunkPool(size_t max_kept, size_t ready_bytes) : max_kept_(max_kept) {
  for (size_t bytes = kHugePageBytes; bytes <= ready_bytes; bytes += kHugePageBytes) {
    if (void* const chunk = MapTwo()) kept_.push_back(chunk);
  }
}

ChunkPool::~ChunkPool() {
  for (void* chunk : kept_) munmap(chunk, Chunk::kStandardBytes);
}

Chunk* ChunkPool::Get(size_t bytes) {
  const size_t wanted = std::max(Chunk::kStandardBytes,
                                 RoundUp(bytes + RoundUp(sizeof(Chunk), kCacheLine), kBlockBytes));
  void* memory = wanted == Chunk::kStandardBytes ? GetStandard() : MapPages(wanted);
  return memory != nullptr ? new (memory) Chunk(*this, wanted) : nullptr;
}

void* ChunkPool::GetStandard() {
  {
    const std::lock_guard lock(mutex_);
    if (!kept_.empty()) {
      void* chunk = kept_.back();
      kept_.pop_back();
      return chunk;
    }
  }
  return MapTwo();
}

void* ChunkPool::MapTwo() {
  void* const two = MapPages(kHugePageBytes);
  if (two == nullptr) return nullptr;
  const std::lock_guard lock(mutex_);
  kept_.push_back(static_cast<char*>(two) + Chunk::kStandardBytes);
  return two;
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
