#include "engine/runs/block_builder.h"

#include <algorithm>
#include <limits>

#include "engine/runs/key_filter.h"
#include "engine/runs/varint.h"

namespace burin {

bool BlockBuilder::IsDense() const {
  return static_cast<uint64_t>(last_key_) - static_cast<uint64_t>(first_key_) == keys_ - 1;
}

inline int64_t BlockBuilder::BeginInterval() {
  restarts_[rows_ / kRestartInterval] =
      static_cast<uint16_t>(at_ - block_ - static_cast<ptrdiff_t>(sizeof(BlockHeader)));
  previous_lsn_ = base_lsn_;
  return first_key_;
}

inline uint64_t BlockBuilder::ChangeLsn(Lsn lsn, uint64_t& step) {
  smallest_lsn_ = std::min(smallest_lsn_, lsn);
  largest_lsn_ = std::max(largest_lsn_, lsn);
  if (lsn == 0) return kZeroLsn;
  uint64_t form = kLsnFollows;
  if (base_lsn_ == 0) {
    base_lsn_ = lsn;
    form = kSameLsn;
  }
  step = ZigZag(lsn - previous_lsn_);
  previous_lsn_ = lsn;
  return form;
}

[[gnu::always_inline]] inline void BlockBuilder::Append(const RunEntry& row) {
  const RunEntry entry = row;  // a copy, which the stores below cannot touch
  int64_t distance_from = last_key_;
  if (rows_ % kRestartInterval == 0) distance_from = BeginInterval();
  uint64_t form = entry.lsn == 0 ? kZeroLsn : kSameLsn;
  uint64_t step = 0;
  if (entry.lsn != previous_lsn_) form = ChangeLsn(entry.lsn, step);
  const size_t size = entry.erased ? 0 : entry.value.size();

  char* to =
      PutVarint(at_, static_cast<uint64_t>(entry.key) - static_cast<uint64_t>(distance_from));
  to =
      PutVarint(to, entry.erased ? form << kRowFormBits | kErasedRow : size << kRowFormBits | form);
  if (form == kLsnFollows) to = PutVarint(to, step);
  if (size - kLeastShort <= kMostShort - kLeastShort) {
    MoveShort(to, entry.value.data(), size);
  } else if (size > 0) {
    std::memcpy(to, entry.value.data(), size);
  }
  at_ = to + size;
  ++rows_;
  erased_rows_ += entry.erased ? 1 : 0;
  value_bytes_ += size;
  last_key_ = entry.key;
  last_lsn_ = entry.lsn;
}

void BlockBuilder::Start(char* room, const RunEntry& first) {
  block_ = room;
  at_ = room + sizeof(BlockHeader);
  limit_ = at_ + kRunBlockRowBytes - kMaxRowOverhead + 1;
  table_ = first.table;
  rows_ = 0;
  keys_ = 0;
  erased_rows_ = 0;
  first_key_ = last_key_ = first.key;
  most_distance_ = std::numeric_limits<uint64_t>::max();
  plain_distance_ = kMostPlainDistance;
  base_lsn_ = previous_lsn_ = 0;
  smallest_lsn_ = largest_lsn_ = first.lsn;
  value_bytes_ = 0;
  different_keys_[keys_++] = first.key;
  Append(first);
}

bool BlockBuilder::TryAdd(const RunEntry& row) {
  if (!open() || row.table != table_) return false;
  const auto bytes = static_cast<size_t>(at_ - block_);
  if (rows_ % kRestartInterval == 0 && bytes >= kLeastDenseBlockBytes && IsDense()) {
    most_distance_ = plain_distance_ = 1;
  }
  if (static_cast<ptrdiff_t>(row.value.size()) >= limit_ - at_) return false;
  if (row.key > last_key_) {
    const uint64_t distance = static_cast<uint64_t>(row.key) - static_cast<uint64_t>(last_key_);
    if (distance > most_distance_) return false;
    different_keys_[keys_++] = row.key;
  } else if (row.key < last_key_ || row.lsn >= last_lsn_) {
    return false;
  }
  Append(row);
  return true;
}

BlockIndexEntry BlockBuilder::Finish(uint64_t seed) {
  BlockHeader header;
  header.table = table_;
  header.rows = rows_;
  header.keys = keys_;
  header.erased_rows = erased_rows_;
  header.first_key = first_key_;
  header.last_key = last_key_;
  header.smallest_lsn = smallest_lsn_;
  header.largest_lsn = largest_lsn_;
  header.base_lsn = base_lsn_;
  header.value_bytes = value_bytes_;

  const size_t restart_bytes = header.Restarts() * sizeof(uint16_t);
  std::memcpy(at_, restarts_.data(), restart_bytes);
  char* const filter = at_ + restart_bytes;
  header.bytes = static_cast<uint32_t>(filter - block_);
  const bool dense = IsDense();  // a filter would say nothing
  if (!dense) header.filter_bytes = static_cast<uint32_t>(FilterBytes(keys_));

  std::memcpy(block_, &header, sizeof header);
  header.checksum =
      Checksum(block_ + sizeof header.checksum, header.bytes - sizeof header.checksum, seed);
  std::memcpy(block_, &header.checksum, sizeof header.checksum);
  if (!dense) {
    BuildFilter({different_keys_.data(), keys_}, filter);
    SealFilter(filter, header.filter_bytes, header.checksum);
  }
  block_ = at_ = limit_ = nullptr;
  return {.first_key = first_key_,
          .last_key = last_key_,
          .offset = 0,
          .checksum = header.checksum,
          .bytes = header.bytes,
          .filter_bytes = header.filter_bytes};
}

}  // namespace burin
