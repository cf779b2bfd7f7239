// Claiming: a transaction's rows take their places in a generation, all at once at commit, so that
// whoever comes later sees them as pending and yields.
//
// Rules per row, against the newest version that is not aborted: pending by another, or not visible
// to the snapshot -> kConflict (nobody waits); live -> kDuplicate on insert; absent or erased ->
// kNotFound on update and erase; so is a table that does not exist. Rows of the transaction's own
// never conflict: of the same key twice the last wins. A row whose key this generation does not
// have yet is left for the caller to check against older ones (CheckVersion). Thread rule: one
// Claimer by one thread; between Enter and Leave of the generation it claims in.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/table/generation.h"

namespace burin {

// What a row may do on top of the newest version: whether there is one, with which LSN, and live.
StatusCode CheckVersion(RowOp op, bool found, Lsn lsn, bool live, Lsn snapshot);

struct UnseenRow {  // its key was new to the generation it was claimed in
  TableId table;
  uint32_t offset;  // of the row in the record's body
};

class Claimer {
 public:
  // Lives as long as the transaction's slot in its session: the buffers are reused.
  // `table_end`: above every table id that exists.
  void Start(Record* record, Lsn snapshot, TableId table_end);

  enum class Result { kDone, kFull, kOutOfMemory, kRefused };

  // Claims the rows that are left. kFull: the table, or the generation's directory, has no room; go
  // on in a new generation. kRefused: refusal() says why; the record has to be aborted.
  // `has_older`: there are older generations, which unseen() has to be checked against.
  Result ClaimIn(Generation& generation, bool has_older);

  uint32_t rows_left() const { return rows_left_; }
  StatusCode refusal() const { return refusal_; }
  TableId refused_table() const { return table_; }
  int64_t refused_key() const { return refused_key_; }
  bool made_changes() const { return registered_; }  // whether some table refers to the record

  // Of the last ClaimIn: the rows whose keys the generation did not have, as far as that matters:
  // all when there are older generations, else updates and erasures.
  const std::vector<UnseenRow>& unseen() const { return unseen_; }

 private:
  static constexpr uint32_t kBlock = 32;
  struct Ahead {
    uint64_t hash;
    uint64_t word;     // HashTable::WordOf the key
    uint64_t version;  // of the row: a VersionRef's word
    RowOp op;
  };
  struct Block {
    uint32_t rows;
    uint32_t end;  // the body's offset behind them
    bool only_inserts;
    Ahead ahead[kBlock];
  };

  template <typename Hash>
  Result ClaimRows(Generation& generation, uint32_t id, Hash hash);
  template <typename Hash>
  static Ahead AheadOf(const Row& row, uint32_t id, uint32_t offset, Hash hash);
  HashTable* NextTable(Generation& generation, Result& result);
  template <typename Hash>
  void LookAhead(HashTable& table, uint32_t id, Hash hash, uint32_t at, uint32_t rows_left,
                 Block& block) const;
  Result ClaimBlock(Generation& generation, HashTable& table, const Block& block);
  Result ClaimRow(Generation& generation, HashTable& table, const Ahead& row, bool note);
  [[gnu::cold]] Result ClaimKnown(Generation& generation, HashTable::Slot* slot, const Ahead& row);
  void NoteUnseen(const Ahead& row) {
    if (has_older_ || row.op != RowOp::kInsert)
      unseen_.push_back({table_, VersionRef{row.version}.offset()});
  }
  StatusCode Replace(Generation& generation, HashTable::Slot& slot, const Ahead& row);

  Record* record_ = nullptr;
  Lsn snapshot_ = 0;
  bool has_older_ = false;
  bool registered_ = false;
  uint32_t offset_ = 0;     // of the next row to claim
  uint32_t rows_left_ = 0;  // kTable rows not counted
  TableId table_ = 0;
  TableId table_end_ = 0;
  StatusCode refusal_ = StatusCode::kOk;
  int64_t refused_key_ = 0;
  std::vector<UnseenRow> unseen_;
};

}  // namespace burin
