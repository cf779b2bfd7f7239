// Reads the blocks of a run one after the other, in large pieces and past the cache, for merges.
//
// Thread rule: one thread.
// Invariant: the bytes of the block it stands on are in its memory, whether proven or not.
#pragma once

#include <memory>
#include <string_view>

#include "engine/runs/run.h"

namespace burin {

// A block as it lies in a run, with its filter behind it.
struct StoredBlock {
  TableId table = 0;
  BlockIndexEntry entry;
  std::string_view bytes;

  BlockHeader Header() const;
  std::string_view Block() const { return bytes.substr(0, entry.bytes); }
  std::string_view Filter() const { return bytes.substr(entry.bytes); }
};

class BlockStream {
 public:
  explicit BlockStream(std::shared_ptr<const Run> run);

  Status Next();  // to the first block, and on; behind the last one it is not valid
  bool valid() const { return index_ != nullptr; }

  const StoredBlock& block() const { return block_; }  // its bytes until Next

  // The first row of the block behind this one; none: this is the last.
  std::optional<RowPosition> NextFirst() const;

  // Proves checksums, so that the block can be copied; or the rows as well.
  Status ProveForCopy() const;
  Result<BlockView> View() const;

 private:
  Status FillWindow();

  const std::shared_ptr<const Run> run_;
  size_t page_ = 0;
  size_t at_ = 0;  // the block in the page
  std::shared_ptr<const IndexPage> index_;
  StoredBlock block_;

  std::unique_ptr<char[]> window_;  // what was read last
  uint64_t window_capacity_ = 0;
  uint64_t window_offset_ = 0;  // in the file
  uint64_t window_bytes_ = 0;
};

}  // namespace burin
