// A page of a run's index: where some hundred data blocks of one table are.
//
// Thread rule: immutable.
// Invariant: entries are in key order, of blocks that lie one behind the other and before the page.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/runs/block_cache.h"
#include "engine/runs/run_format.h"

namespace burin {

// Why `bytes` are not the page that the root entry describes; empty: they are.
std::string_view WhyBadIndexPage(std::string_view bytes, const RootEntry& place, uint64_t run_id,
                                 uint64_t seed);

// The bytes of a page of `entries`, which is to lie at `offset`, appended at `to`.
void EncodeIndexPage(std::span<const BlockIndexEntry> entries, TableId table, uint64_t run_id,
                     uint64_t offset, uint64_t seed, char* to);

class IndexPage final : public CacheItem {
 public:
  // Of bytes that WhyBadIndexPage found nothing wrong with.
  explicit IndexPage(std::string_view proven_bytes);

  TableId table() const { return table_; }
  std::span<const BlockIndexEntry> entries() const { return entries_; }

  // The first block whose last key is not below `key`; entries().size(): there is none.
  size_t FirstReaching(int64_t key) const;

  size_t MemoryBytes() const override {
    return sizeof *this + entries_.size() * sizeof(BlockIndexEntry);
  }

 private:
  TableId table_;
  std::vector<BlockIndexEntry> entries_;
};

}  // namespace burin
