// Memory for records: large chunks, shared by the records in them and counted.
//
// Chunks are mapped whole, filled one record behind the other, and used again.
// Thread rule: cursor belongs to one writer at a time; Ref and Unref from any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace burin {

class Chunk;

// Chunks of the standard size that nobody refers to, kept for the next who needs one.
// Outlives all its chunks.
class ChunkPool {
 public:
  // `ready_bytes`: of records that find their memory mapped; less where there is too little.
  ChunkPool(size_t max_kept, size_t ready_bytes);
  ~ChunkPool();
  ChunkPool(const ChunkPool&) = delete;
  ChunkPool& operator=(const ChunkPool&) = delete;

  // At least `bytes` of room for records; one reference, the caller's. Null: out of memory.
  Chunk* Get(size_t bytes);

 private:
  friend class Chunk;
  void* GetStandard();  // kStandardBytes, or null
  void* MapTwo();       // the same, and another one to keep
  void TakeBack(Chunk* chunk);

  const size_t max_kept_;
  std::mutex mutex_;
  std::vector<void*> kept_;
};

class Chunk {
 public:
  static constexpr size_t kStandardBytes = 1 << 20;

  void Ref() { references_.fetch_add(1, std::memory_order_relaxed); }
  void Unref();  // the last one gives the memory back to the pool

  char* cursor() const { return cursor_; }
  void set_cursor(char* to) { cursor_ = to; }
  char* end() { return reinterpret_cast<char*>(this) + mapped_bytes_; }
  size_t room() { return static_cast<size_t>(end() - cursor_); }

 private:
  friend class ChunkPool;
  Chunk(ChunkPool& pool, size_t mapped_bytes);

  ChunkPool& pool_;
  std::atomic<uint32_t> references_{1};
  const size_t mapped_bytes_;
  char* cursor_;
};

}  // namespace burin
