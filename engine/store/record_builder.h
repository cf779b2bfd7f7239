// Encodes a transaction's rows straight into the record that will be written and read: no row is
// copied again.
//
// Thread rule: one thread. Invariant: between Begin and Take or Drop it owns a chunk, whose cursor
// stays at the record's beginning until the record is taken.
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

  Chunk* Get(size_t bytes) {  // one with that much room, the caller's; null: out of memory
    if (chunk_ == nullptr || chunk_->room() < bytes) return pool_.Get(bytes);
    return std::exchange(chunk_, nullptr);
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

  bool open() const { return reserve_ != nullptr; }  // between Begin and End
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

  static constexpr int64_t kNoTable = -1;  // no table has such an id

  ChunkReserve* reserve_ = nullptr;
  uint64_t max_bytes_ = 0;
  Chunk* chunk_ = nullptr;
  char* begin_ = nullptr;   // of the Record
  char* cursor_ = nullptr;  // of the next row
  char* end_ = nullptr;     // null: takes no rows
  int64_t table_ = kNoTable;
  uint32_t rows_ = 0;
  size_t last_bytes_ = 0;  // of the last record: a hint for the next
  Trouble trouble_ = Trouble::kNone;
};

}  // namespace burin
