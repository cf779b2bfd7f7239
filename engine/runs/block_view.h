// Reading a data block: proving it whole, and walking through its rows.
//
// A block is proven once, when it is read from the file: by its checksum, by what the index says of
// it, and row by row, so that whoever walks through it later cannot leave its bytes.
// Thread rule: a view is immutable; an iterator belongs to one thread.
// Invariant: a BlockView is only made of bytes that WhyBadBlock found nothing wrong with.
#pragma once

#include <memory>
#include <string_view>

#include "engine/runs/block_cache.h"
#include "engine/runs/run_format.h"

namespace burin {

// Why `bytes` are not the block of the table that the index entry describes; empty: they are.
// `rows_too`: walks through the rows as well, which a verbatim copy can do without.
std::string_view WhyBadBlock(std::string_view bytes, TableId table, const BlockIndexEntry& entry,
                             uint64_t seed, bool rows_too);

class BlockView {
 public:
  BlockView() = default;
  explicit BlockView(std::string_view proven_bytes);

  const BlockHeader& header() const { return header_; }

 private:
  friend class BlockIterator;
  const char* Restart(uint32_t interval) const;  // where its first row lies
  int64_t RestartKey(uint32_t interval) const;

  BlockHeader header_;
  const char* rows_begin_ = nullptr;
  const char* rows_end_ = nullptr;  // the places of the restarts follow
};

// Stands on a row, or behind the last one. The view's bytes outlive it.
class BlockIterator {
 public:
  BlockIterator() = default;                       // behind the last row of nothing
  explicit BlockIterator(const BlockView& block);  // on the first row

  bool valid() const { return row_ < block_.header_.rows; }
  const RunEntry& entry() const { return entry_; }
  void Next();

  // Moves to the newest version of the first key that is not below `key`, and answers the last key
  // that is, or the block's first where there is none.
  int64_t Seek(int64_t key);

 private:
  friend std::string_view WhyBadBlock(std::string_view, TableId, const BlockIndexEntry&, uint64_t,
                                      bool);
  std::string_view WhyBadRows();
  bool Decode();  // false: the bytes are no row
  bool DecodeAny();

  BlockView block_;
  uint32_t row_ = 0;            // index of the row it stands on
  const char* next_ = nullptr;  // the row behind it
  Lsn previous_lsn_ = 0;        // what kSameLsn means for that one
  RunEntry entry_;
};

// A block in memory of its own.
class DataBlock final : public CacheItem {
 public:
  DataBlock(std::unique_ptr<char[]> bytes, size_t size)
      : bytes_(std::move(bytes)), view_(std::string_view(bytes_.get(), size)) {}

  const BlockView& view() const { return view_; }
  size_t MemoryBytes() const override { return sizeof *this + view_.header().bytes; }

 private:
  const std::unique_ptr<char[]> bytes_;
  const BlockView view_;
};

}  // namespace burin
