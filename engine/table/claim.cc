#include "engine/table/claim.h"

#include <algorithm>
#include <utility>

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
  Block blocks[2];
  while (rows_left_ > 0) {
    if (table == nullptr || DecodeRow(record_->body() + offset_).op == RowOp::kTable) {
      Result result = Result::kDone;
      table = NextTable(generation, result);
      if (table == nullptr) return result;
    }
    if (rows_left_ == 1) {  // no other's cache misses to overlap with
      const Row row = DecodeRow(record_->body() + offset_);
      table->key_blocks().Note(KeyBlocks::BlockOf(row.key));
      return ClaimRow(generation, *table, AheadOf(row, id, offset_, hash), true);
    }
    Block* block = &blocks[0];
    Block* next = &blocks[1];
    LookAhead(*table, id, hash, offset_, rows_left_, *block);
    while (block->rows > 0) {
      LookAhead(*table, id, hash, block->end, rows_left_ - block->rows, *next);
      const Result result = ClaimBlock(generation, *table, *block);
      if (result != Result::kDone) return result;
      offset_ = block->end;
      std::swap(block, next);
    }
  }
  return Result::kDone;
}

// The table of the row at offset_, which moves past the section's head. Null: `result` says why.
HashTable* Claimer::NextTable(Generation& generation, Result& result) {
  const Row row = DecodeRow(record_->body() + offset_);
  if (row.op == RowOp::kTable) {
    table_ = static_cast<TableId>(row.key);
    offset_ += row.EncodedBytes();
    if (table_ >= table_end_) {
      refusal_ = StatusCode::kNotFound;
      refused_key_ = DecodeRow(record_->body() + offset_).key;
      result = Result::kRefused;
      return nullptr;
    }
  }
  HashTable* table = generation.table(table_);
  if (table == nullptr) table = generation.MakeTable(table_);
  if (table == nullptr) result = Result::kOutOfMemory;
  return table;
}

template <typename Hash>
Claimer::Ahead Claimer::AheadOf(const Row& row, uint32_t id, uint32_t offset, Hash hash) {
  return {hash(static_cast<uint64_t>(row.key)), HashTable::WordOf(row.key),
          VersionRef::Of(id, offset).word, row.op};
}

// Fetches the slots of the next rows of this table, so that their cache misses overlap.
template <typename Hash>
void Claimer::LookAhead(HashTable& table, uint32_t id, Hash hash, uint32_t at, uint32_t rows_left,
                        Block& block) const {
  const char* const body = record_->body();
  const uint32_t most = std::min(kBlock, rows_left);
  uint32_t rows = 0;
  uint32_t ops = 0;           // or-ed: 0 as long as all are inserts
  int64_t noted = INT64_MAX;  // no block
  while (rows < most) {
    const Row row = DecodeRow(body + at);
    if (row.op == RowOp::kTable) break;
    Ahead& one = block.ahead[rows++];
    one = AheadOf(row, id, at, hash);
    table.Prefetch(one.hash);
    if (const int64_t keys = KeyBlocks::BlockOf(row.key); keys != noted) {
      table.key_blocks().Note(keys);
      noted = keys;
    }
    ops |= static_cast<uint32_t>(row.op);
    at += row.EncodedBytes();
  }
  block.rows = rows;
  block.end = at;
  block.only_inserts = ops == static_cast<uint32_t>(RowOp::kInsert);
}

Claimer::Result Claimer::ClaimBlock(Generation& generation, HashTable& table, const Block& block) {
  const bool note = has_older_ || !block.only_inserts;
  for (uint32_t i = 0; i < block.rows; ++i) {
    const Result result = ClaimRow(generation, table, block.ahead[i], note);
    if (result != Result::kDone) [[unlikely]]
      return result;
  }
  return Result::kDone;
}

// `note`: false where the caller need not hear of a new key, which then is not asked for each row.
inline Claimer::Result Claimer::ClaimRow(Generation& generation, HashTable& table, const Ahead& row,
                                         bool note) {
  const HashTable::Claim claim = table.FindOrClaim(row.word, row.hash);
  if (claim.mine) [[likely]] {
    claim.slot->version.store(row.version, std::memory_order_release);
    if (note) NoteUnseen(row);
  } else if (const Result result = ClaimKnown(generation, claim.slot, row);
             result != Result::kDone) {
    offset_ = VersionRef{row.version}.offset();
    return result;
  }
  --rows_left_;
  return Result::kDone;
}

// A row whose key the table has already, or has no place for.
Claimer::Result Claimer::ClaimKnown(Generation& generation, HashTable::Slot* slot,
                                    const Ahead& row) {
  if (slot == nullptr) return Result::kFull;
  refusal_ = Replace(generation, *slot, row);
  if (refusal_ == StatusCode::kOk) return Result::kDone;
  refused_key_ = HashTable::KeyOf(row.word);
  return Result::kRefused;
}

// Puts the row in the place of what the slot holds, if it may.
StatusCode Claimer::Replace(Generation& generation, HashTable::Slot& slot, const Ahead& row) {
  uint64_t found = slot.version.load(std::memory_order_acquire);
  if (found == 0) return StatusCode::kConflict;  // another claims it at this very moment
  const RowVersion newest = generation.NewestFrom({found});
  const uint32_t offset = VersionRef{row.version}.offset();
  if (newest.record == nullptr) {
    NoteUnseen(row);
  } else if (newest.record == record_) {
    // The same key twice in one transaction: what the first replaced, the last replaces.
    const VersionRef before = generation.ReplacedBy({found});
    if (before) record_->Replaces(offset, before, rows_left_);
  } else {
    const StatusCode code = CheckVersion(row.op, true, newest.lsn, newest.live(), snapshot_);
    if (code != StatusCode::kOk) return code;
    record_->Replaces(offset, {found}, rows_left_);
  }
  if (!slot.version.compare_exchange_strong(found, row.version, std::memory_order_acq_rel)) {
    return StatusCode::kConflict;
  }
  return StatusCode::kOk;
}

}  // namespace burin
