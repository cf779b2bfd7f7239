#include "engine/runs/run_cursor.h"

namespace burin {

void RunCursor::Invalidate() {
  rows_ = BlockIterator();
  data_.reset();
  index_.reset();
}

Status RunCursor::OpenPage(size_t page, CacheUse use) {
  auto index = run_->file().ReadPage(page, use);
  if (!index.ok()) return index.TakeStatus();
  page_ = page;
  index_ = std::move(*index);
  return {};
}

Status RunCursor::OpenBlock(size_t block) {
  auto data = run_->file().ReadBlock(index_->table(), index_->entries()[block], CacheUse::kLookUp);
  if (!data.ok()) return data.TakeStatus();
  block_ = block;
  data_ = std::move(*data);
  rows_ = BlockIterator(data_->view());
  return {};
}

Status RunCursor::Seek(TableId table, int64_t key) {
  Invalidate();
  const size_t page = run_->FirstPageReaching({table, key});
  if (page == run_->file().root().size()) return {};
  Status status = OpenPage(page, CacheUse::kFill);
  const bool same_table = status.ok() && index_->table() == table;
  if (status.ok()) status = OpenBlock(same_table ? index_->FirstReaching(key) : 0);
  if (!status.ok()) {
    Invalidate();
    return status;
  }
  if (same_table) rows_.Seek(key);
  return {};
}

Status RunCursor::Next() {
  rows_.Next();
  if (rows_.valid()) return {};
  Status status = OpenNextBlock();
  if (!status.ok()) Invalidate();
  return status;
}

Status RunCursor::OpenNextBlock() {
  if (block_ + 1 < index_->entries().size()) return OpenBlock(block_ + 1);
  if (page_ + 1 == run_->file().root().size()) {
    Invalidate();
    return {};
  }
  Status status = OpenPage(page_ + 1, CacheUse::kLookUp);
  return status.ok() ? OpenBlock(0) : status;
}

}  // namespace burin
