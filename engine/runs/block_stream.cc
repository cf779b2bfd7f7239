#include "engine/runs/block_stream.h"

#include <algorithm>
#include <cstring>

namespace burin {
namespace {

constexpr uint64_t kWindowBytes = 64 << 10;

}  // namespace

BlockHeader StoredBlock::Header() const {
  BlockHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

BlockStream::BlockStream(std::shared_ptr<const Run> run) : run_(std::move(run)) {}

Status BlockStream::Next() {
  if (index_ != nullptr && ++at_ == index_->entries().size()) {
    index_.reset();
    ++page_;
  }
  if (index_ == nullptr) {
    if (page_ == run_->file().root().size()) return {};
    auto index = run_->file().ReadPage(page_, CacheUse::kBypass);
    if (!index.ok()) return index.TakeStatus();
    index_ = std::move(*index);
    at_ = 0;
  }
  Status status = FillWindow();
  if (!status.ok()) {
    index_.reset();
    page_ = run_->file().root().size();
  }
  return status;
}

// Reads on from this block as far as the window and the blocks of the page reach.
Status BlockStream::FillWindow() {
  const BlockIndexEntry& entry = index_->entries()[at_];
  const uint64_t bytes = entry.EndOffset() - entry.offset;
  if (entry.offset < window_offset_ || entry.EndOffset() > window_offset_ + window_bytes_) {
    const uint64_t wanted = std::max(
        bytes, std::min(kWindowBytes, index_->entries().back().EndOffset() - entry.offset));
    // Grown for a large value, and given back behind it.
    const uint64_t capacity = std::max(wanted, kWindowBytes);
    if (capacity != window_capacity_) {
      window_bytes_ = window_capacity_ = 0;
      auto memory = AllocateFor(run_->file().path(), capacity);
      if (!memory.ok()) return memory.TakeStatus();
      window_ = std::move(*memory);
      window_capacity_ = capacity;
    }
    window_bytes_ = 0;
    Status status = run_->file().ReadExactly(window_.get(), wanted, entry.offset);
    if (!status.ok()) return status;
    window_offset_ = entry.offset;
    window_bytes_ = wanted;
  }
  block_ = {index_->table(), entry, {window_.get() + (entry.offset - window_offset_), bytes}};
  return {};
}

std::optional<RowPosition> BlockStream::NextFirst() const {
  if (at_ + 1 < index_->entries().size()) {
    return RowPosition{index_->table(), index_->entries()[at_ + 1].first_key};
  }
  const auto root = run_->file().root();
  if (page_ + 1 < root.size()) return root[page_ + 1].First();
  return std::nullopt;
}

Status BlockStream::ProveForCopy() const {
  const RunFile& file = run_->file();
  const std::string_view bad =
      WhyBadBlock(block_.Block(), block_.table, block_.entry, file.seed(), false);
  if (!bad.empty()) return Damaged(file.path(), block_.entry.offset, bad);
  if (!block_.Filter().empty() && !FilterIsWhole(block_.Filter(), block_.entry.checksum)) {
    return Damaged(file.path(), block_.entry.FilterOffset(), "the filter's checksum differs");
  }
  return {};
}

Result<BlockView> BlockStream::View() const {
  const std::string_view bad =
      WhyBadBlock(block_.Block(), block_.table, block_.entry, run_->file().seed(), true);
  if (!bad.empty()) return Damaged(run_->file().path(), block_.entry.offset, bad);
  return BlockView(block_.Block());
}

}  // namespace burin
