#include "engine/store/own_rows_index.h"

namespace burin {

const OwnRows* OwnRowsIndex::Of(TableId table, const RecordBuilder& builder) {
  if (builder.rows() == 0) return nullptr;
  if (builder.body() != body_) {
    rows_.clear();
    body_ = builder.body();
    bytes_ = 0;
  }
  while (bytes_ < builder.body_bytes()) {
    const Row row = DecodeRow(body_ + bytes_);
    if (row.op == RowOp::kTable) {
      table_ = static_cast<TableId>(row.key);
    } else {
      rows_[table_].insert_or_assign(row.key, row);
    }
    bytes_ += row.EncodedBytes();
  }
  const auto found = rows_.find(table);
  return found != rows_.end() ? &found->second : nullptr;
}

}  // namespace burin
