#include "engine/store/transaction_state.h"

#include "engine/store/session_state.h"
#include "engine/store/store.h"

namespace burin {

Store& TransactionState::store() const { return session->store(); }

Status TransactionState::OverStatus() const {
  return {StatusCode::kTransactionOver, "the transaction is over"};
}

void TransactionState::Begin(SessionState& owner, TransactionKind with) {
  kind = with;
  phase = Phase::kOpen;
  GroupCommit& group = store().group();
  holds_writer_lock_ = kind != TransactionKind::kConcurrent;
  node.reads_joined = kind == TransactionKind::kSerial;
  node.abort_epoch = group.AbortEpoch();
  if (node.reads_joined) concurrent_joins_ = group.AwaitConcurrentJoins();
  // A kSerial transaction reads the newest, which no checkpoint or merge ever drops.
  snapshot = node.reads_joined
                 ? kPending
                 : Snapshots::Open(*snapshot_place, [&group] { return group.durable(); });
  builder.Begin(&owner.reserve(), store().MaxRecordBytes());
}

// A kSerial transaction reads the newest that has joined, which stays the same as long as only
// holders of the writer lock write. When a kConcurrent one has come in between, it has to begin
// anew.
Status TransactionState::CheckStillSerial() {
  if (kind != TransactionKind::kSerial || store().group().ConcurrentJoins() == concurrent_joins_) {
    return {};
  }
  store().CountConflict();
  End(false);
  return {StatusCode::kConflict, "a concurrent transaction committed in between"};
}

Status TransactionState::Write(TableId table, int64_t key, RowOp op, std::string_view value) {
  if (phase != Phase::kOpen) return OverStatus();
  if (!store().catalog().Has(table)) {
    return {StatusCode::kNotFound, "no table with id " + std::to_string(table)};
  }
  bool live = false;
  const OwnRows* own = own_rows_.Of(table, builder);
  const auto mine = own != nullptr ? own->find(key) : OwnRows::const_iterator();
  if (own != nullptr && mine != own->end()) {
    live = mine->second.op != RowOp::kErase;
  } else {
    const ViewPin view = session->PinView();
    auto newest = view->Newest(table, key);
    if (!newest.ok()) return newest.TakeStatus();
    if (newest->found && newest->lsn >= snapshot) {
      return Refuse(StatusCode::kConflict, table, key);
    }
    live = newest->live();
  }
  Status status = CheckStillSerial();
  if (!status.ok()) return status;
  if (op == RowOp::kInsert && live) return Refuse(StatusCode::kDuplicate, table, key);
  if (op != RowOp::kInsert && !live) {
    return {StatusCode::kNotFound, "no row with key " + std::to_string(key)};
  }
  Append(table, key, op, value);
  return CheckBuilder();
}

Result<std::optional<std::string>> TransactionState::Get(TableId table, int64_t key) {
  if (phase != Phase::kOpen) return OverStatus();
  if (!store().catalog().Has(table)) {
    return Status(StatusCode::kNotFound, "no table with id " + std::to_string(table));
  }
  if (const OwnRows* own = own_rows_.Of(table, builder)) {
    if (const auto mine = own->find(key); mine != own->end()) {
      if (mine->second.op == RowOp::kErase) return std::optional<std::string>();
      return std::optional<std::string>(mine->second.value);
    }
  }
  const ViewPin view = session->PinView();
  auto version = view->Visible(table, key, snapshot);
  if (!version.ok()) return version.TakeStatus();
  Status status = CheckStillSerial();
  if (!status.ok()) return status;
  if (!version->live()) return std::optional<std::string>();
  return std::optional<std::string>(version->value);
}

Status TransactionState::Scan(TableId table, int64_t first, int64_t last,
                              const std::function<bool(int64_t, std::string_view)>& row) {
  if (phase != Phase::kOpen) return OverStatus();
  if (!store().catalog().Has(table)) {
    return {StatusCode::kNotFound, "no table with id " + std::to_string(table)};
  }
  if (first > last) return {};
  static const OwnRows kNone;
  const OwnRows* own = own_rows_.Of(table, builder);
  const ViewPin view = session->PinView();
  Status status = ScanView(*view, table, first, last, snapshot, own != nullptr ? *own : kNone, row);
  return status.ok() ? CheckStillSerial() : status;
}

Status TransactionState::Refuse(StatusCode code, TableId table, int64_t key) {
  if (code == StatusCode::kConflict) store().CountConflict();
  const std::string what = code == StatusCode::kConflict    ? "another transaction wrote"
                           : code == StatusCode::kDuplicate ? "there is already"
                                                            : "there is no";
  End(false);
  return {code, what + " key " + std::to_string(key) + " of table " + std::to_string(table)};
}

// Whether the rows so far fit into a record and into memory.
Status TransactionState::CheckBuilder() {
  switch (builder.trouble()) {
    case RecordBuilder::Trouble::kNone:
      return {};
    case RecordBuilder::Trouble::kTooLarge:
      End(false);
      return {StatusCode::kTooLarge, "a transaction takes at most " +
                                         std::to_string(store().MaxRecordBytes()) +
                                         " bytes, which is what a log segment holds"};
    case RecordBuilder::Trouble::kOutOfMemory:
      break;
  }
  End(false);
  return {StatusCode::kNoSpace, "out of memory for the rows of a transaction"};
}

void TransactionState::Rollback() {
  if (phase == Phase::kOpen) End(false);
}

void TransactionState::ReleaseWriterLock() {
  if (!holds_writer_lock_) return;
  holds_writer_lock_ = false;
  store().writer_lock().Release();
}

// Gives up what only an open transaction needs: its snapshot, and the rest of its chunk, which is
// for the session's next one.
void TransactionState::Release(bool keep_record) {
  builder.End(keep_record);
  own_rows_.Forget();
  Snapshots::Close(*snapshot_place);
}

// Of an open transaction. `keep_record`: some table or the log may refer to the record's bytes.
void TransactionState::End(bool keep_record) {
  Release(keep_record || (node.record != nullptr && claimer.made_changes()));
  node.record = nullptr;
  phase = Phase::kOver;
  ReleaseWriterLock();
}

}  // namespace burin
