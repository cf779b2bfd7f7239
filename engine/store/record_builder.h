// Encodes a transaction's rows straight into the record that will be written and read: no row is
// copied again.
//
// Thread rule: one thread. Invariant: between Begin and End it owns the chunk it builds in, if any,
// whose cursor stays at the record's beginning until the record is finished.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "engine/table/arena.h"
#include "engine/table/record.h"
#include "engine/table/rows.h"

namespace burin {

// A session's chunk in waiting, with room at its end. Null: none.
class ChunkReserve {
 public:
  explicit ChunkReserve(ChunkPool& pool) : pool_(pool) {}
  ~ChunkReserve() { Put(nullptr); }
  ChunkReserve(const ChunkReserve&) = delete;
  ChunkReserve& operator=(const ChunkReserve&) = delete;

  // Both answer one with `bytes` of room, the caller's. Take: null where none waits that has it;
  // Get: null: out of memory.
  Chunk* Take(size_t bytes) {
    if (chunk_ == nullptr || chunk_->room() < bytes) return nullptr;
    return std::exchange(chunk_, nullptr);
  }
  Chunk* Get(size_t bytes) {
    Chunk* const waiting = Take(bytes);
    return waiting != nullptr ? waiting : pool_.Get(bytes);
  }
  void Put(Chunk* chunk) {
    if (chunk_ != nullptr) chunk_->Unref();
    chunk_ = chunk;
  }

 private:
  ChunkPool& pool_;
  Chunk* chunk_ = nullptr;
};

class RecordBuilder {
 public:
  enum class Trouble { kNone, kTooLarge, kOutOfMemory };

  // `max_bytes`: of a record with its header.
  void Begin(ChunkReserve* reserve, uint64_t max_bytes);

  void Append(uint32_t table, int64_t key, RowOp op, std::string_view value) {
    const size_t bytes = kRowHeaderBytes + value.size();
    if (table != table_ || Room() < bytes || !HasShortValue(value)) [[unlikely]] {
      return AppendSlowly(table, key, op, value);
    }
    EncodeShortRow(cursor_, key, op, value);
    cursor_ += bytes;
    ++rows_;
  }

  uint32_t rows() const { return rows_; }
  uint32_t body_bytes() const { return static_cast<uint32_t>(cursor_ - body()); }
  const char* body() const { return begin_ + sizeof(Record); }
  Trouble trouble() const { return trouble_; }

  // The record, its header filled but for what the leader adds; its memory stays as long as the
  // chunk has references.
  Record* Finish(RecordKind kind);

  // Ends building. `keep`: the finished record is in use, so its bytes stay.
  void End(bool keep);

 private:
  size_t Room() const { return static_cast<size_t>(end_ - cursor_); }
  void AppendSlowly(uint32_t table, int64_t key, RowOp op, std::string_view value);
  bool MakeRoom(uint32_t table, size_t bytes);
  bool Grow(size_t bytes);
  void BuildIn(Chunk* chunk, size_t used);

  static constexpr size_t kFirstRoom = 4096;

  static constexpr int64_t kNoTable = -1;  // no table has such an id

  ChunkReserve* reserve_ = nullptr;
  uint64_t max_bytes_ = 0;
  Chunk* chunk_ = nullptr;
  char* begin_ = nullptr;   // of the Record
  char* cursor_ = nullptr;  // of the next row
  char* end_ = nullptr;     // null: takes no rows
  int64_t table_ = kNoTable;
  uint32_t rows_ = 0;
  size_t first_room_ = kFirstRoom;  // at least as much as the last record took
  Trouble trouble_ = Trouble::kNone;
};

}  // namespace burin
