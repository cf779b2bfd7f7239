#include "engine/store/record_builder.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace burin {

void RecordBuilder::Begin(ChunkReserve* reserve, uint64_t max_bytes) {
  reserve_ = reserve;
  max_bytes_ = max_bytes;
  table_ = kNoTable;
  rows_ = 0;
  trouble_ = Trouble::kNone;
  chunk_ = reserve->Take(first_room_);
  if (chunk_ != nullptr) [[likely]] {
    BuildIn(chunk_, sizeof(Record));
  } else {
    begin_ = cursor_ = end_ = nullptr;
  }
}

void RecordBuilder::BuildIn(Chunk* chunk, size_t used) {
  chunk_ = chunk;
  begin_ = chunk->cursor();
  cursor_ = begin_ + used;
  const uint64_t most = max_bytes_ + sizeof(Record) - sizeof(RecordHeader);
  end_ = begin_ + std::min<uint64_t>(chunk->room(), most) - kRecordAlignment;  // for the padding
}

void RecordBuilder::AppendSlowly(uint32_t table, int64_t key, RowOp op, std::string_view value) {
  const size_t bytes = kRowHeaderBytes + value.size();
  if ((table != table_ || Room() < bytes) && !MakeRoom(table, bytes)) return;
  if (HasShortValue(value)) {
    EncodeShortRow(cursor_, key, op, value);
  } else {
    EncodeRow(cursor_, key, op, value);
  }
  cursor_ += bytes;
  ++rows_;
}

// Opens a section of `table` when the last row was of another, and makes sure of `bytes` behind it.
bool RecordBuilder::MakeRoom(uint32_t table, size_t bytes) {
  const size_t section = table != table_ ? kRowHeaderBytes : 0;
  if (reserve_ == nullptr || trouble_ != Trouble::kNone) return false;
  if (Room() < section + bytes && !Grow(section + bytes)) return false;
  if (section != 0) {
    EncodeRow(cursor_, table, RowOp::kTable, {});
    cursor_ += section;
    table_ = table;
  }
  return true;
}

bool RecordBuilder::Grow(size_t bytes) {
  const size_t used = std::max(static_cast<size_t>(cursor_ - begin_), sizeof(Record));
  const size_t needed = used + bytes + kRecordAlignment;
  if (needed - sizeof(Record) + sizeof(RecordHeader) > max_bytes_) {
    trouble_ = Trouble::kTooLarge;
    return false;
  }
  Chunk* chunk = reserve_->Get(std::max({needed, 2 * used, first_room_}));
  if (chunk == nullptr) {
    trouble_ = Trouble::kOutOfMemory;
    return false;
  }
  if (chunk_ != nullptr) {
    std::memcpy(chunk->cursor(), begin_, used);
    reserve_->Put(chunk_);
  }
  BuildIn(chunk, used);
  return true;
}

Record* RecordBuilder::Finish(RecordKind kind) {
  const uint32_t bytes = body_bytes();
  Record* record = new (begin_) Record;
  record->chunk = chunk_;
  RecordHeader& header = record->header;
  header.kind = kind;
  header.rows = rows_;
  header.body_bytes = bytes;
  header.body_checksum = Checksum(record->body(), bytes);
  std::memset(cursor_, 0, kRecordAlignment);  // the padding; more is overwritten by the next record
  chunk_->set_cursor(begin_ + sizeof(Record) - sizeof(RecordHeader) + header.TotalBytes());
  return record;
}

void RecordBuilder::End(bool keep) {
  if (chunk_ != nullptr) {
    if (keep) {
      first_room_ = std::max(static_cast<size_t>(cursor_ - begin_) + kRecordAlignment, kFirstRoom);
    } else {
      chunk_->set_cursor(begin_);
    }
    reserve_->Put(chunk_);
    chunk_ = nullptr;
  }
  reserve_ = nullptr;
  cursor_ = end_ = nullptr;
}

}  // namespace burin
