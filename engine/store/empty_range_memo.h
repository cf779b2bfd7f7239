// What a session remembers of the runs: the widest range around its last rows in which no run has a
// key. Who inserts in ascending order asks the runs once for each view instead of for each
// transaction.
//
// Thread rule: one thread at a time.
#pragma once

#include "engine/table/view.h"

namespace burin {

class EmptyRangeMemo {
 public:
  // False: certainly no run of the view has a key within [first, last]. Errors as those of reading
  // a run.
  Result<bool> RunsMayHave(const View& view, TableId table, int64_t first, int64_t last) {
    const bool known = view.number == view_number_ && table == table_ && range_.first <= first &&
                       last <= range_.last;
    if (known) return false;
    const auto empty = view.EmptyRangeInRuns(table, first, last);
    if (!empty.ok()) return empty.status();
    if (!empty->has_value()) return true;
    view_number_ = view.number;
    table_ = table;
    range_ = **empty;
    return false;
  }

 private:
  uint64_t view_number_ = 0;  // of no view
  TableId table_ = 0;
  KeyRange range_;
};

}  // namespace burin
