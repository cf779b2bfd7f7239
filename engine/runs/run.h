// A run, for those who read it: the versions of a row, whether a range holds any, and which it does
// not.
//
// Thread rule: any thread; immutable.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/runs/run_file.h"

namespace burin {

// A version of a row in a run.
struct RunVersion {
  Lsn lsn = 0;  // 0: older than every snapshot
  bool erased = false;
  std::string_view value;  // in the block, which stays as long as this holds it
  std::shared_ptr<const DataBlock> block;
};

struct KeyRange {
  int64_t first = 0;
  int64_t last = 0;  // inclusive
  bool operator==(const KeyRange&) const = default;
};

class Run {
 public:
  // Errors as RunFile::Open; those of reading as RunFile's reads.
  static Result<std::shared_ptr<const Run>> Open(FileSystem& files, const std::string& folder,
                                                 uint64_t run_id, const DatabaseId& database,
                                                 BlockCache* cache);

  uint64_t id() const { return file_->footer().run_id; }
  const RunTotals& totals() const { return file_->footer().totals; }
  uint64_t file_bytes() const { return file_->footer().file_bytes; }
  const RunFile& file() const { return *file_; }

  // The newest version with lsn < snapshot; none: this run has no such version.
  Result<std::optional<RunVersion>> Find(TableId table, int64_t key, Lsn snapshot) const;

  // The newest version, whoever sees it.
  Result<std::optional<RunVersion>> Newest(TableId table, int64_t key) const {
    return Find(table, key, ~Lsn{0});
  }

  // The widest range around [first, last] in which the table has no version of any key, for a
  // caller that wants to remember it; none: there is a version in [first, last]. Exact; seldom
  // reads more than an index page.
  Result<std::optional<KeyRange>> EmptyRangeAround(TableId table, int64_t first,
                                                   int64_t last) const;

  // The first index page with a row at `position` or behind it; file().root().size(): there is
  // none.
  size_t FirstPageReaching(RowPosition position) const;

 private:
  explicit Run(std::unique_ptr<RunFile> file) : file_(std::move(file)) {}
  Result<std::optional<KeyRange>> EmptyRangeInBlock(TableId table, const BlockIndexEntry& entry,
                                                    int64_t first, int64_t last) const;

  const std::unique_ptr<RunFile> file_;
};

}  // namespace burin
