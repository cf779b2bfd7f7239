#include "engine/runs/run.h"

#include <algorithm>
#include <limits>

namespace burin {
namespace {

constexpr int64_t kLowestKey = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighestKey = std::numeric_limits<int64_t>::max();

// The versions of a key that lie in one block, from new to old, up to one that the snapshot sees.
std::optional<RunVersion> FindInBlock(std::shared_ptr<const DataBlock> block, int64_t key,
                                      Lsn snapshot) {
  BlockIterator rows(block->view());
  rows.Seek(key);
  for (; rows.valid() && rows.entry().key == key; rows.Next()) {
    const RunEntry& row = rows.entry();
    if (row.lsn < snapshot) return RunVersion{row.lsn, row.erased, row.value, std::move(block)};
  }
  return std::nullopt;
}

// Whether only the filter can tell without reading the block.
bool FilterDecides(const BlockIndexEntry& entry, int64_t key) {
  return entry.filter_bytes != 0 && entry.first_key < key && key < entry.last_key;
}

}  // namespace

Result<std::shared_ptr<const Run>> Run::Open(FileSystem& files, const std::string& folder,
                                             uint64_t run_id, const DatabaseId& database,
                                             BlockCache* cache) {
  auto file = RunFile::Open(files, folder, run_id, database, cache);
  if (!file.ok()) return file.TakeStatus();
  return std::shared_ptr<const Run>(new Run(std::move(*file)));
}

size_t Run::FirstPageReaching(RowPosition position) const {
  const auto root = file_->root();
  const auto found = std::lower_bound(
      root.begin(), root.end(), position,
      [](const RootEntry& page, const RowPosition& wanted) { return page.Last() < wanted; });
  return static_cast<size_t>(found - root.begin());
}

// A key with many versions may go on in the next block, and the next page.
Result<std::optional<RunVersion>> Run::Find(TableId table, int64_t key, Lsn snapshot) const {
  const RowPosition wanted{table, key};
  const auto root = file_->root();
  for (size_t page = FirstPageReaching(wanted); page < root.size() && root[page].First() <= wanted;
       ++page) {
    const auto index = file_->ReadPage(page, CacheUse::kFill);
    if (!index.ok()) return index.status();
    for (const auto& entry : (*index)->entries().subspan((*index)->FirstReaching(key))) {
      if (entry.first_key > key) return std::optional<RunVersion>();
      if (FilterDecides(entry, key)) {
        const auto filter = file_->ReadFilter(entry, CacheUse::kFill);
        if (!filter.ok()) return filter.status();
        if (!(*filter)->MayContain(key)) return std::optional<RunVersion>();
      }
      auto block = file_->ReadBlock(table, entry, CacheUse::kFill);
      if (!block.ok()) return block.TakeStatus();
      auto found = FindInBlock(std::move(*block), key, snapshot);
      if (found.has_value()) return found;
    }
  }
  return std::optional<RunVersion>();
}

Result<std::optional<KeyRange>> Run::EmptyRangeAround(TableId table, int64_t first,
                                                      int64_t last) const {
  const std::optional<KeyRange> none;
  const auto root = file_->root();
  const size_t page = FirstPageReaching({table, first});
  if (page == root.size() || root[page].First() > RowPosition{table, last}) {
    const bool below = page > 0 && root[page - 1].table == table;
    const bool above = page < root.size() && root[page].table == table;
    return std::optional<KeyRange>({below ? root[page - 1].last_key + 1 : kLowestKey,
                                    above ? root[page].first_key - 1 : kHighestKey});
  }
  if (root[page].first_key >= first || root[page].last_key <= last) return none;

  // The range lies within the page, with keys of the page on both sides.
  const auto index = file_->ReadPage(page, CacheUse::kFill);
  if (!index.ok()) return index.status();
  const size_t at = (*index)->FirstReaching(first);
  const BlockIndexEntry& entry = (*index)->entries()[at];
  if (entry.first_key > last) {
    const BlockIndexEntry& before = (*index)->entries()[at - 1];
    return std::optional<KeyRange>({before.last_key + 1, entry.first_key - 1});
  }
  if (entry.first_key >= first || entry.last_key <= last) return none;
  return EmptyRangeInBlock(table, entry, first, last);
}

// For a range with keys of the block on both sides.
Result<std::optional<KeyRange>> Run::EmptyRangeInBlock(TableId table, const BlockIndexEntry& entry,
                                                       int64_t first, int64_t last) const {
  if (first == last && entry.filter_bytes != 0) {
    const auto filter = file_->ReadFilter(entry, CacheUse::kFill);
    if (!filter.ok()) return filter.status();
    if (!(*filter)->MayContain(first)) return std::optional<KeyRange>({first, last});
  }
  const auto block = file_->ReadBlock(table, entry, CacheUse::kFill);
  if (!block.ok()) return block.status();
  BlockIterator rows((*block)->view());
  const int64_t below = rows.Seek(first);
  if (rows.entry().key <= last) return std::optional<KeyRange>();
  return std::optional<KeyRange>({below + 1, rows.entry().key - 1});
}

}  // namespace burin
