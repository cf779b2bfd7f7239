// Builds one data block, row by row, in memory that its user brings.
//
// A row is a varint of the key's distance to the row before it, a varint of the value's size and a
// form, for some forms a varint of the LSN's distance to the last one, and the value. Each 16th row
// begins anew from the block's first key and base LSN, and its place is kept, so that a search need
// not read the rows before it. Rows of one commit, or older than every snapshot, cost 2 bytes over
// a value of less than 32 bytes when their keys lie within 127 of each other.
//
// A block that has become somewhat large without a gap between its keys ends at the next gap: it
// needs no filter, the index alone tells that the gap is empty, and a merge that fills the gap from
// another run copies both. Sparse keys make gaps from the first row on and fill blocks to the brim.
// Thread rule: one thread.
// Invariant: rows are of one table and in the order of a run; others are refused.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/runs/run_format.h"

namespace burin {

// The lower 2 bits of a row's second varint. Of a live row the upper bits are the value's size, of
// an erased one they are one of the other three forms.
inline constexpr uint64_t kSameLsn = 0;  // the last LSN but 0; behind a restart, the base LSN
inline constexpr uint64_t kZeroLsn = 1;
inline constexpr uint64_t kLsnFollows = 2;  // as the ZigZag of its difference to kSameLsn's
inline constexpr uint64_t kErasedRow = 3;
inline constexpr unsigned kRowFormBits = 2;
inline constexpr uint64_t kRowFormMask = 3;

class BlockBuilder {
 public:
  // Bytes that a block which begins with a value of this size may take, its filter included.
  static constexpr size_t RoomFor(size_t first_value_bytes) {
    return (size_t{32} << 10) + first_value_bytes;
  }

  bool open() const { return block_ != nullptr; }

  // Begins a block at `room`, which has RoomFor(first.value.size()) bytes, and takes its first row.
  void Start(char* room, const RunEntry& first);

  // Takes what most rows are: a live one of 8 to 31 bytes, by the commit of the row before it or
  // older than every snapshot like that one, whose key is a little higher. False: TryAdd decides.
  bool TryAddPlain(const RunEntry& row);

  // False: the row is not of this block. It is full, or of another table, or not open, or to stay
  // without a gap, or the row does not stand behind the last one.
  bool TryAdd(const RunEntry& row);

  // Seals the block and its filter; the entry's offset is the user's to set. The block is then not
  // open any more.
  BlockIndexEntry Finish(uint64_t seed);

  // Of the last row taken.
  RowPosition last() const { return {table_, last_key_}; }
  Lsn last_lsn() const { return last_lsn_; }

 private:
  int64_t BeginInterval();  // answers the key that its first row is written relative to
  uint64_t ChangeLsn(Lsn lsn, uint64_t& step);  // answers the row's form
  bool IsDense() const;                         // has each key of its range
  void Append(const RunEntry& row);

  // Two overlapping moves for a size that most values have; a call of memcpy costs more.
  static constexpr uint64_t kMostPlainDistance = 127;  // between keys
  static constexpr size_t kLeastShort = 8;
  static constexpr size_t kMostShort = 31;
  static void MoveShort(char* to, const char* from, size_t size);

  char* block_ = nullptr;  // null: not open
  char* at_ = nullptr;
  char* limit_ = nullptr;  // where the value of one more row must not reach, if at_ were its begin
  TableId table_ = 0;
  uint32_t rows_ = 0;
  uint32_t keys_ = 0;  // different ones
  uint32_t erased_rows_ = 0;
  int64_t first_key_ = 0;
  int64_t last_key_ = 0;
  uint64_t most_distance_ = 0;   // from key to key: 1 in a block that is to stay without a gap
  uint64_t plain_distance_ = 0;  // the same for TryAddPlain
  Lsn last_lsn_ = 0;
  Lsn previous_lsn_ = 0;  // what kSameLsn means for the next row
  Lsn base_lsn_ = 0;
  Lsn smallest_lsn_ = 0;
  Lsn largest_lsn_ = 0;
  uint64_t value_bytes_ = 0;
  std::array<uint16_t, kMaxBlockRows / kRestartInterval + 1> restarts_;
  std::array<int64_t, kMaxBlockRows + 1> different_keys_;  // for the filter
};
static_assert(sizeof(BlockHeader) + kRunBlockRowBytes + kMaxRowOverhead +
                      sizeof(uint16_t) * (kMaxBlockRows / kRestartInterval + 1) +
                      kMaxBlockRows * 10 / 8 + 2 * sizeof(uint64_t) <=
                  BlockBuilder::RoomFor(0),
              "rows, restarts and filter fit");

// Each step here is paid for every row of a database, hence one store for two numbers.
inline bool BlockBuilder::TryAddPlain(const RunEntry& row) {
  const size_t size = row.value.size();
  const int64_t key = row.key;
  const Lsn lsn = row.lsn;
  const uint64_t distance = static_cast<uint64_t>(key) - static_cast<uint64_t>(last_key_);
  char* const to = at_;
  if (size - kLeastShort > kMostShort - kLeastShort || key <= last_key_ ||
      distance > plain_distance_ || lsn != previous_lsn_ || rows_ % kRestartInterval == 0 ||
      static_cast<ptrdiff_t>(size) >= limit_ - to || row.table != table_ || row.erased) {
    return false;
  }
  const char* const value = row.value.data();
  const uint64_t form = lsn == 0 ? kZeroLsn : kSameLsn;
  const auto numbers = static_cast<uint16_t>(distance | (size << kRowFormBits | form) << 8);
  different_keys_[keys_++] = key;
  ++rows_;
  last_key_ = key;
  last_lsn_ = lsn;
  value_bytes_ += size;
  at_ = to + sizeof numbers + size;
  std::memcpy(to, &numbers, sizeof numbers);
  MoveShort(to + sizeof numbers, value, size);
  return true;
}

inline void BlockBuilder::MoveShort(char* to, const char* from, size_t size) {
  if (size <= 16) {
    uint64_t head, tail;
    std::memcpy(&head, from, sizeof head);
    std::memcpy(&tail, from + size - sizeof tail, sizeof tail);
    std::memcpy(to, &head, sizeof head);
    std::memcpy(to + size - sizeof tail, &tail, sizeof tail);
  } else {
    std::array<uint64_t, 2> head, tail;
    std::memcpy(&head, from, sizeof head);
    std::memcpy(&tail, from + size - sizeof tail, sizeof tail);
    std::memcpy(to, &head, sizeof head);
    std::memcpy(to + size - sizeof tail, &tail, sizeof tail);
  }
}

}  // namespace burin
