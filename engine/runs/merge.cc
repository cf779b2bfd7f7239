#include "engine/runs/merge.h"

#include <limits>
#include <vector>

#include "engine/runs/block_stream.h"

namespace burin {
namespace {

// Behind every row.
constexpr RowPosition kEnd{std::numeric_limits<TableId>::max(),
                           std::numeric_limits<int64_t>::max()};

// A block smaller than this is not worth copying: many merges would leave many small blocks. One
// without a gap is small because it ends at one.
constexpr uint32_t kLeastCopiedBytes = kRunBlockRowBytes / 2;

// A run in the merge: stands before a whole block, or on a row within one.
class MergeInput {
 public:
  explicit MergeInput(std::shared_ptr<const Run> run) : stream_(std::move(run)) {}

  RowPosition position() const { return position_; }  // of the next row; kEnd: there is none
  bool AtBlock() const { return stream_.valid() && !in_rows_; }
  const BlockStream& stream() const { return stream_; }
  const RunEntry& entry() const { return rows_.entry(); }  // after OpenRows

  Status NextBlock() {
    in_rows_ = false;
    if (Status status = stream_.Next(); !status.ok()) return status;
    position_ = kEnd;
    if (!stream_.valid()) return {};
    const StoredBlock& block = stream_.block();
    position_ = {block.table, block.entry.first_key};
    return {};
  }

  // Makes entry() valid.
  Status OpenRows() {
    if (in_rows_) return {};
    const auto block = stream_.View();
    if (!block.ok()) return block.status();
    rows_ = BlockIterator(*block);
    in_rows_ = true;
    return {};
  }

  Status NextRow() {
    rows_.Next();
    if (!rows_.valid()) return NextBlock();
    position_.key = rows_.entry().key;
    return {};
  }

 private:
  BlockStream stream_;
  BlockIterator rows_;
  bool in_rows_ = false;
  RowPosition position_ = kEnd;
};

class Merge {
 public:
  Merge(const Retention& retention, RunWriter* output)
      : oldest_level_(retention.oldest_level), output_(output), rows_(retention, output) {}

  Result<MergeCounts> Run(std::span<const std::shared_ptr<const burin::Run>> inputs) {
    for (const auto& run : inputs) {
      inputs_.emplace_back(run);
      if (Status status = inputs_.back().NextBlock(); !status.ok()) return status;
    }
    for (;;) {
      const auto [input, bound] = Smallest();
      if (input == nullptr || input->position() == kEnd) return counts_;
      Status status = input->position() < bound ? TakeBelow(bound, *input) : TakeKey(bound);
      if (!status.ok()) return status;
    }
  }

 private:
  struct Choice {
    MergeInput* input = nullptr;
    RowPosition bound = kEnd;  // of all other inputs
  };

  Choice Smallest() {
    Choice choice;
    for (MergeInput& input : inputs_) {
      if (choice.input == nullptr) {
        choice.input = &input;
      } else if (input.position() < choice.input->position()) {
        choice = {&input, choice.input->position()};
      } else {
        choice.bound = std::min(choice.bound, input.position());
      }
    }
    return choice;
  }

  // What only this input has.
  Status TakeBelow(RowPosition bound, MergeInput& input) {
    Status status;
    while (status.ok() && input.position() < bound) {
      if (Copyable(input, bound)) {
        status = CopyBlock(input);
      } else {
        status = TakeRow(input);
      }
    }
    return status;
  }

  // All versions of one key, from new to old.
  Status TakeKey(RowPosition position) {
    for (MergeInput& input : inputs_) {
      while (input.position() == position) {
        if (Status status = TakeRow(input); !status.ok()) return status;
      }
    }
    return {};
  }

  // Whether each of the block's rows is the only version of its key, and needed. A newer version
  // may end the block before, and an older one begin the next.
  bool Copyable(const MergeInput& input, RowPosition bound) const {
    if (!input.AtBlock()) return false;
    const StoredBlock& block = input.stream().block();
    const RowPosition last{block.table, block.entry.last_key};
    if (last >= bound) return false;
    const BlockHeader header = block.Header();
    return WorthCopying(header) && header.keys == header.rows &&
           (header.erased_rows == 0 || !oldest_level_) && input.stream().NextFirst() != last &&
           input.position() != last_taken_;
  }

  static bool WorthCopying(const BlockHeader& block) {
    return block.bytes >= kLeastCopiedBytes ||
           (block.filter_bytes == 0 && block.bytes >= kLeastDenseBlockBytes);
  }

  Status CopyBlock(MergeInput& input) {
    Status status = input.stream().ProveForCopy();
    if (status.ok()) status = output_->AddBlock(input.stream().block());
    if (!status.ok()) return status;
    ++counts_.blocks_copied;
    counts_.rows_copied += input.stream().block().Header().rows;
    return input.NextBlock();
  }

  Status TakeRow(MergeInput& input) {
    Status status = input.OpenRows();
    if (status.ok()) status = rows_.Add(input.entry());
    if (!status.ok()) return status;
    last_taken_ = input.position();
    ++counts_.rows_read;
    return input.NextRow();
  }

  const bool oldest_level_;
  RunWriter* const output_;
  RetainingWriter rows_;
  std::vector<MergeInput> inputs_;
  RowPosition last_taken_ = kEnd;  // of the latest row that was not copied with its block
  MergeCounts counts_;
};

}  // namespace

Result<MergeCounts> MergeRuns(std::span<const std::shared_ptr<const Run>> inputs,
                              const Retention& retention, RunWriter* output) {
  return Merge(retention, output).Run(inputs);
}

}  // namespace burin
