// All generations that a reader looks through, newest first; replaced as a whole, never changed.
//
// Thread rule: immutable; any thread that holds a reference.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "engine/table/generation.h"

namespace burin {

struct View {
  std::shared_ptr<Generation> active;
  std::vector<std::shared_ptr<Generation>> frozen;  // newest first

  // The version that a snapshot sees; none: it sees no such row, not even an erased one.
  RowVersion Visible(TableId table, int64_t key, Lsn snapshot) const;

  // The newest version that is not aborted, whoever sees it; in all or in the frozen generations.
  RowVersion Newest(TableId table, int64_t key) const;
  RowVersion NewestFrozen(TableId table, int64_t key) const;

  bool MayHaveFrozenKeysIn(TableId table, int64_t first, int64_t last) const;
};

// Rows of one transaction that no generation has yet: key to row, the last one of each key.
using OwnRows = std::map<int64_t, Row>;

// Every live row of the table with first <= key <= last as the snapshot, and `own` above it, has it.
void ScanView(const View& view, TableId table, int64_t first, int64_t last, Lsn snapshot,
              const OwnRows& own,
              const std::function<bool(int64_t key, std::string_view value)>& row);

}  // namespace burin
