// The file of a run, opened: reads its parts, each proven, through a cache or past it.
//
// Opening proves the footer and the root, which stay in memory (32 bytes for some 6 MB of rows).
// Thread rule: any thread; nothing changes after Open.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/io/file_system.h"
#include "engine/runs/block_cache.h"
#include "engine/runs/block_view.h"
#include "engine/runs/index_page.h"
#include "engine/runs/key_filter.h"
#include "engine/runs/run_format.h"

namespace burin {

enum class CacheUse {
  kFill,    // what is read stays: lookups
  kLookUp,  // takes what is there and leaves no trace: scans
  kBypass,  // merges
};

// Memory for `bytes` that a file asks for: too little is an error, not the end of the program.
Result<std::unique_ptr<char[]>> AllocateFor(const std::string& path, uint64_t bytes);

// "path at offset: reason".
Status Damaged(const std::string& path, uint64_t offset, std::string_view reason);

class RunFile {
 public:
  // kCorruption: the file is missing, not whole, or not this run of this database. `cache` may be
  // null and outlives the run.
  static Result<std::unique_ptr<RunFile>> Open(FileSystem& files, const std::string& folder,
                                               uint64_t run_id, const DatabaseId& database,
                                               BlockCache* cache);
  ~RunFile();
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;

  const RunFooter& footer() const { return footer_; }
  std::span<const RootEntry> root() const { return root_; }
  const std::string& path() const { return file_->path(); }
  uint64_t seed() const { return seed_; }

  // `page` is an index into root(). Each may answer kCorruption or kIoError.
  Result<std::shared_ptr<const IndexPage>> ReadPage(size_t page, CacheUse use) const;
  Result<std::shared_ptr<const DataBlock>> ReadBlock(TableId table, const BlockIndexEntry& entry,
                                                     CacheUse use) const;
  Result<std::shared_ptr<const KeyFilter>> ReadFilter(const BlockIndexEntry& entry,
                                                      CacheUse use) const;

  // All of `bytes`, or kCorruption where the file ends before.
  Status ReadExactly(char* to, size_t bytes, uint64_t offset) const;

 private:
  RunFile(std::unique_ptr<File> file, BlockCache* cache);
  Status ReadFooter(uint64_t run_id, const DatabaseId& database);
  Status ReadRoot();

  template <typename Item, typename ReadItem>
  Result<std::shared_ptr<const Item>> Cached(uint64_t offset, CacheUse use, ReadItem read) const;

  const std::unique_ptr<File> file_;
  BlockCache* const cache_;
  const uint64_t cache_owner_;
  uint64_t seed_ = 0;
  RunFooter footer_;
  std::vector<RootEntry> root_;
};

}  // namespace burin
