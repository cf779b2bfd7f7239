// All that a reader looks through, newest first: the active generation, the frozen ones, and the
// runs on disk. Replaced as a whole, never changed.
//
// Thread rule: immutable; any thread that has it pinned (view_keeper.h).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/runs/run.h"
#include "engine/table/generation.h"

namespace burin {

// A version wherever it lies: in a record in memory, or in a block of a run.
struct FoundVersion {
  bool found = false;
  bool erased = false;
  Lsn lsn = 0;
  const Record* record = nullptr;  // null: from a run
  std::string_view value;
  std::shared_ptr<const void> pin;  // keeps a run's block in memory

  bool live() const { return found && !erased; }
};

struct View {
  uint64_t number = 1;  // tells views of one database apart
  std::shared_ptr<Generation> active;
  std::vector<std::shared_ptr<Generation>> frozen;  // newest first
  std::vector<std::shared_ptr<const Run>> runs;     // newest first

  // The version that a snapshot sees; not found: it sees no such row, not even an erased one.
  Result<FoundVersion> Visible(TableId table, int64_t key, Lsn snapshot) const;

  // The newest version that is not aborted, whoever sees it; everywhere, or without the active
  // generation.
  Result<FoundVersion> Newest(TableId table, int64_t key) const;
  Result<FoundVersion> NewestOlder(TableId table, int64_t key) const;

  // NewestOlder without the runs; and the wish that it finds the key's slots in the cache soon.
  FoundVersion NewestFrozen(TableId table, int64_t key) const;
  void PrefetchFrozen(TableId table, int64_t key) const;

  // False: certainly no frozen generation has a key within [first, last].
  bool FrozenMayHave(TableId table, int64_t first, int64_t last) const;

  // The widest range around [first, last] in which no run has a key of the table; none: some may.
  Result<std::optional<KeyRange>> EmptyRangeInRuns(TableId table, int64_t first,
                                                   int64_t last) const;

  bool HasOlder() const { return !frozen.empty() || !runs.empty(); }
};

// Rows of one transaction that no generation has yet: key to row, the last one of each key.
using OwnRows = std::map<int64_t, Row>;

// Every live row of the table with first <= key <= last as the snapshot, and `own` above it, has
// it.
Status ScanView(const View& view, TableId table, int64_t first, int64_t last, Lsn snapshot,
                const OwnRows& own,
                const std::function<bool(int64_t key, std::string_view value)>& row);

}  // namespace burin
