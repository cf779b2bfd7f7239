#include "engine/store/record_builder.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace burin {
namespace {

constexpr size_t kFirstRoom = 4096;

}  // namespace

void RecordBuilder::Begin(ChunkReserve* reserve, uint64_t max_bytes) {
  reserve_ = reserve;
  max_bytes_ = max_bytes;
  begin_ = cursor_ = end_ = nullptr;
  table_ = kNoTable;
  rows_ = 0;
  trouble_ = Trouble::kNone;
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
  const size_t used = static_cast<size_t>(cursor_ - begin_);
  const size_t needed = std::max(used, sizeof(Record)) + bytes + kRecordAlignment;
  if (needed - sizeof(Record) + sizeof(RecordHeader) > max_bytes_) {
    trouble_ = Trouble::kTooLarge;
    return false;
  }
  const size_t wanted = std::max(std::max(needed, 2 * used), std::max(last_bytes_, kFirstRoom));
  Chunk* chunk = reserve_->Get(wanted);
  if (chunk == nullptr) {
    trouble_ = Trouble::kOutOfMemory;
    return false;
  }
  char* begin = chunk->cursor();
  if (used != 0) std::memcpy(begin, begin_, used);
  cursor_ = begin + std::max(used, sizeof(Record));
  if (chunk_ != nullptr) reserve_->Put(chunk_);
  chunk_ = chunk;
  begin_ = begin;
  end_ = chunk->end() - kRecordAlignment;  // room for the padding
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
    last_bytes_ = static_cast<size_t>(cursor_ - begin_) + kRecordAlignment;
    if (!keep) chunk_->set_cursor(begin_);
    reserve_->Put(chunk_);
    chunk_ = nullptr;
  }
  reserve_ = nullptr;
  cursor_ = end_ = nullptr;
}

}  // namespace burin
