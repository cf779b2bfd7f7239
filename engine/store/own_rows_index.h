// The rows that an open transaction has written, by table and key: what it reads of its own.
//
// They are brought up to date from the record's body when somebody reads, so that who only writes
// pays nothing.
// Thread rule: one thread at a time.
// Invariant: the rows point into the body, so they go with it when it moves.
#pragma once

#include <map>

#include "engine/store/record_builder.h"
#include "engine/table/view.h"

namespace burin {

class OwnRowsIndex {
 public:
  const OwnRows* Of(TableId table, const RecordBuilder& builder);  // null: none

  // For the next transaction.
  void Forget() {
    body_ = nullptr;
    if (!rows_.empty()) rows_.clear();
  }

 private:
  std::map<TableId, OwnRows> rows_;
  const char* body_ = nullptr;  // that the rows are of
  uint32_t bytes_ = 0;          // of the body that are indexed
  TableId table_ = 0;           // of the rows behind them
};

}  // namespace burin
