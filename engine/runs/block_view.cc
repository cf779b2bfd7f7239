#include "engine/runs/block_view.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/runs/block_builder.h"
#include "engine/runs/varint.h"
#include "engine/table/rows.h"

namespace burin {
namespace {

std::string_view WhyBadHeader(const BlockHeader& header, size_t bytes, TableId table,
                              const BlockIndexEntry& entry) {
  if (header.bytes != bytes) return "the block's size differs from the index";
  if (header.checksum != entry.checksum) return "it is another block than the index names";
  if (header.table != table || header.first_key != entry.first_key ||
      header.last_key != entry.last_key || header.filter_bytes != entry.filter_bytes) {
    return "the block differs from its index entry";
  }
  const uint64_t least =
      uint64_t{header.rows} * kMinRowBytes + header.Restarts() * sizeof(uint16_t);
  if (header.rows == 0 || header.keys == 0 || header.keys > header.rows ||
      header.erased_rows > header.rows || header.first_key > header.last_key ||
      bytes - sizeof header < least) {
    return "the block's counts cannot be";
  }
  return {};
}

}  // namespace

std::string_view WhyBadBlock(std::string_view bytes, TableId table, const BlockIndexEntry& entry,
                             uint64_t seed, bool rows_too) {
  BlockHeader header;
  if (bytes.size() < sizeof header) return "the block is shorter than its header";
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.checksum != Checksum(bytes.data() + sizeof header.checksum,
                                  bytes.size() - sizeof header.checksum, seed)) {
    return "the block's checksum differs";
  }
  const std::string_view bad = WhyBadHeader(header, bytes.size(), table, entry);
  if (!bad.empty() || !rows_too) return bad;
  BlockIterator rows;
  rows.block_ = BlockView(bytes);
  return rows.WhyBadRows();
}

BlockView::BlockView(std::string_view proven_bytes) {
  std::memcpy(&header_, proven_bytes.data(), sizeof header_);
  rows_begin_ = proven_bytes.data() + sizeof header_;
  rows_end_ = proven_bytes.data() + proven_bytes.size() - header_.Restarts() * sizeof(uint16_t);
}

const char* BlockView::Restart(uint32_t interval) const {
  uint16_t offset;
  std::memcpy(&offset, rows_end_ + interval * sizeof offset, sizeof offset);
  return rows_begin_ + offset;
}

int64_t BlockView::RestartKey(uint32_t interval) const {
  uint64_t distance = 0;
  GetVarint(Restart(interval), rows_end_, distance);
  return static_cast<int64_t>(static_cast<uint64_t>(header_.first_key) + distance);
}

BlockIterator::BlockIterator(const BlockView& block) : block_(block), next_(block.rows_begin_) {
  entry_.table = block.header_.table;
  Decode();
}

// Quick for what most rows are: numbers of one byte each, no new LSN, not erased.
inline bool BlockIterator::Decode() {
  if (row_ % kRestartInterval == 0) [[unlikely]] {
    entry_.key = block_.header_.first_key;
    previous_lsn_ = block_.header_.base_lsn;
  }
  const char* const at = next_;
  const ptrdiff_t bytes = block_.rows_end_ - at;
  if (bytes < 2) return DecodeAny();
  const size_t distance = static_cast<uint8_t>(at[0]);
  const size_t size_and_form = static_cast<uint8_t>(at[1]);
  const size_t form = size_and_form & kRowFormMask;
  const size_t size = size_and_form >> kRowFormBits;
  if ((distance | size_and_form) >= 0x80 || form > kZeroLsn ||
      static_cast<ptrdiff_t>(size) > bytes - 2) {
    return DecodeAny();
  }
  entry_.key = static_cast<int64_t>(static_cast<uint64_t>(entry_.key) + distance);
  entry_.lsn = form == kZeroLsn ? 0 : previous_lsn_;
  entry_.erased = false;
  entry_.value = {at + 2, size};
  next_ = at + 2 + size;
  return true;
}

bool BlockIterator::DecodeAny() {
  const char* at = next_;
  const char* const end = block_.rows_end_;
  uint64_t distance, size_and_form;
  if ((at = GetVarint(at, end, distance)) == nullptr) return false;
  if ((at = GetVarint(at, end, size_and_form)) == nullptr) return false;
  uint64_t form = size_and_form & kRowFormMask;
  uint64_t size = size_and_form >> kRowFormBits;
  entry_.key = static_cast<int64_t>(static_cast<uint64_t>(entry_.key) + distance);
  entry_.erased = form == kErasedRow;
  if (entry_.erased) {
    form = std::exchange(size, 0);
    if (form > kLsnFollows) return false;
  }
  if (form == kLsnFollows) {
    uint64_t step;
    if ((at = GetVarint(at, end, step)) == nullptr) return false;
    previous_lsn_ += UnZigZag(step);
  }
  entry_.lsn = form == kZeroLsn ? 0 : previous_lsn_;
  if (size > static_cast<uint64_t>(end - at)) return false;
  entry_.value = {at, size};
  next_ = at + size;
  return true;
}

void BlockIterator::Next() {
  ++row_;
  if (valid()) Decode();
}

// The last restart below the key, then row by row: the key's newest version may lie before a
// restart that begins with an older one.
int64_t BlockIterator::Seek(int64_t key) {
  uint32_t low = 0;
  uint32_t high = block_.header_.Restarts();
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    (block_.RestartKey(middle) < key ? low : high) = middle;
  }
  row_ = low * kRestartInterval;
  next_ = block_.Restart(low);
  Decode();
  int64_t below = block_.header_.first_key;
  for (; valid() && entry_.key < key; Next()) below = entry_.key;
  return below;
}

std::string_view BlockIterator::WhyBadRows() {
  const BlockHeader& header = block_.header_;
  next_ = block_.rows_begin_;
  BlockHeader seen;
  seen.smallest_lsn = ~Lsn{0};
  Lsn last_lsn = 0;
  for (row_ = 0; row_ < header.rows; ++row_) {
    if (row_ % kRestartInterval == 0 && next_ != block_.Restart(row_ / kRestartInterval)) {
      return "the block's restarts differ from its rows";
    }
    if (!Decode() || entry_.value.size() > kMaxValueBytes) {
      return "the block's rows cannot be read";
    }
    if (row_ == 0) seen.first_key = entry_.key;
    if (row_ == 0 || entry_.key > seen.last_key) {
      ++seen.keys;
    } else if (entry_.key != seen.last_key || entry_.lsn >= last_lsn) {
      return "the block's rows are out of order";
    }
    seen.last_key = entry_.key;
    last_lsn = entry_.lsn;
    seen.erased_rows += entry_.erased ? 1 : 0;
    seen.value_bytes += entry_.value.size();
    seen.smallest_lsn = std::min(seen.smallest_lsn, entry_.lsn);
    seen.largest_lsn = std::max(seen.largest_lsn, entry_.lsn);
  }
  if (next_ != block_.rows_end_ || seen.keys != header.keys ||
      seen.erased_rows != header.erased_rows || seen.value_bytes != header.value_bytes ||
      seen.smallest_lsn != header.smallest_lsn || seen.largest_lsn != header.largest_lsn ||
      seen.first_key != header.first_key || seen.last_key != header.last_key) {
    return "the block's header differs from its rows";
  }
  return {};
}

}  // namespace burin
