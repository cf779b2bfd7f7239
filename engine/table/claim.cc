#include "engine/table/claim.h"

#include "engine/hash.h"

namespace burin {

StatusCode CheckVersion(RowOp op, bool found, Lsn lsn, bool live, Lsn snapshot) {
  if (found && lsn >= snapshot) return StatusCode::kConflict;
  if (op == RowOp::kInsert) return live ? StatusCode::kDuplicate : StatusCode::kOk;
  return live ? StatusCode::kOk : StatusCode::kNotFound;
}

void Claimer::Start(Record* record, Lsn snapshot, TableId table_end) {
  record_ = record;
  snapshot_ = snapshot;
  table_end_ = table_end;
  registered_ = false;
  offset_ = 0;
  rows_left_ = record->header.rows;
  refusal_ = StatusCode::kOk;
}

Claimer::Result Claimer::ClaimIn(Generation& generation, bool has_older) {
  has_older_ = has_older;
  unseen_.clear();
  const uint32_t id = generation.Register(record_);
  if (id == 0) return Result::kFull;
  registered_ = true;
  return generation.hasher() == Hasher::kFx
             ? ClaimRows(generation, id, [](uint64_t key) { return FxHash64(key); })
             : ClaimRows(generation, id, [](uint64_t key) { return SipHash13(key); });
}

template <typename Hash>
Claimer::Result Claimer::ClaimRows(Generation& generation, uint32_t id, Hash hash) {
  HashTable* table = nullptr;
  while (rows_left_ > 0) {
    const Row row = DecodeRow(record_->body() + offset_);
    if (row.op == RowOp::kTable) {
      table_ = static_cast<TableId>(row.key);
      table = nullptr;
      offset_ += row.EncodedBytes();
      if (table_ < table_end_) continue;
      refusal_ = StatusCode::kNotFound;
      refused_key_ = DecodeRow(record_->body() + offset_).key;
      return Result::kRefused;
    }
    if (table == nullptr) {
      table = generation.table(table_);
      if (table == nullptr) table = generation.MakeTable(table_);
      if (table == nullptr) return Result::kOutOfMemory;
    }
    Ahead ahead[kBlock];
    const uint32_t rows = LookAhead(*table, hash, ahead);
    for (uint32_t i = 0; i < rows; ++i) {
      offset_ = ahead[i].offset;
      const Result result = ClaimRow(generation, *table, id, ahead[i]);
      if (result != Result::kDone) return result;
      --rows_left_;
    }
    offset_ += DecodeRow(record_->body() + offset_).EncodedBytes();
  }
  return Result::kDone;
}

// Fetches the slots of the next rows, so that their cache misses overlap.
template <typename Hash>
uint32_t Claimer::LookAhead(const HashTable& table, Hash hash, Ahead* ahead) const {
  uint32_t rows = 0;
  for (uint32_t at = offset_; rows < kBlock && rows < rows_left_;) {
    const Row row = DecodeRow(record_->body() + at);
    if (row.op == RowOp::kTable) break;
    Ahead& one = ahead[rows++];
    one = {at, hash(static_cast<uint64_t>(row.key)), row.key, row.op};
    table.Prefetch(one.hash);
    at += row.EncodedBytes();
  }
  return rows;
}

Claimer::Result Claimer::ClaimRow(Generation& generation, HashTable& table, uint32_t id,
                                  const Ahead& row) {
  const HashTable::Claim claim = table.FindOrClaim(row.key, row.hash);
  if (claim.slot == nullptr) return Result::kFull;
  if (claim.mine) {
    claim.slot->version.store(VersionRef::Of(id, row.offset).word, std::memory_order_release);
    NoteUnseen(row);
    return Result::kDone;
  }
  refusal_ = Replace(generation, *claim.slot, id, row);
  if (refusal_ == StatusCode::kOk) return Result::kDone;
  refused_key_ = row.key;
  return Result::kRefused;
}

// Puts the row in the place of what the slot holds, if it may.
StatusCode Claimer::Replace(Generation& generation, HashTable::Slot& slot, uint32_t id,
                            const Ahead& row) {
  uint64_t found = slot.version.load(std::memory_order_acquire);
  if (found == 0) return StatusCode::kConflict;  // another claims it at this very moment
  const RowVersion newest = generation.NewestFrom({found});
  if (newest.record == nullptr) {
    NoteUnseen(row);
  } else if (newest.record == record_) {
    // The same key twice in one transaction: what the first replaced, the last replaces.
    const VersionRef before = generation.ReplacedBy({found});
    if (before) record_->Replaces(row.offset, before, rows_left_);
  } else {
    const StatusCode code = CheckVersion(row.op, true, newest.lsn, newest.live(), snapshot_);
    if (code != StatusCode::kOk) return code;
    record_->Replaces(row.offset, {found}, rows_left_);
  }
  const uint64_t mine = VersionRef::Of(id, row.offset).word;
  if (!slot.version.compare_exchange_strong(found, mine, std::memory_order_acq_rel)) {
    return StatusCode::kConflict;
  }
  return StatusCode::kOk;
}

}  // namespace burin
