// Walks through the versions of a run in its order, for scans.
//
// Leaves the cache as it was, but for the index page that a Seek looks at.
// Thread rule: one thread; any number of cursors on a run.
#pragma once

#include <memory>

#include "engine/runs/run.h"

namespace burin {

class RunCursor {
 public:
  explicit RunCursor(std::shared_ptr<const Run> run) : run_(std::move(run)) {}

  // To the newest version of the first key of the table that is not below `key`, or what stands
  // behind it, of other tables as well.
  Status Seek(TableId table, int64_t key);

  // Not Ok, here and at Seek: the cursor is not valid, and Seek may be tried anew.
  Status Next();

  bool valid() const { return rows_.valid(); }
  const RunEntry& entry() const { return rows_.entry(); }  // its value until the cursor moves

 private:
  Status OpenPage(size_t page, CacheUse use);
  Status OpenBlock(size_t block);
  Status OpenNextBlock();
  void Invalidate();

  std::shared_ptr<const Run> run_;
  size_t page_ = 0;
  size_t block_ = 0;  // in the page
  std::shared_ptr<const IndexPage> index_;
  std::shared_ptr<const DataBlock> data_;
  BlockIterator rows_;
};

}  // namespace burin
