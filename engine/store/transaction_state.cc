#include "engine/store/transaction_state.h"

#include <algorithm>

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

const OwnRows* TransactionState::IndexOwnRows(TableId table) {
  if (builder.rows() == 0) return nullptr;
  if (builder.body() != indexed_body_) {
    own_rows_.clear();
    indexed_body_ = builder.body();
    indexed_bytes_ = 0;
  }
  while (indexed_bytes_ < builder.body_bytes()) {
    const Row row = DecodeRow(indexed_body_ + indexed_bytes_);
    if (row.op == RowOp::kTable) {
      indexed_table_ = static_cast<TableId>(row.key);
    } else {
      own_rows_[indexed_table_].insert_or_assign(row.key, row);
    }
    indexed_bytes_ += row.EncodedBytes();
  }
  const auto found = own_rows_.find(table);
  return found != own_rows_.end() ? &found->second : nullptr;
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
  const OwnRows* own = IndexOwnRows(table);
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
  if (const OwnRows* own = IndexOwnRows(table)) {
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
  const OwnRows* own = IndexOwnRows(table);
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

// Gives every row its place, or aborts the record.
Status TransactionState::Claim() {
  if (builder.trouble() != RecordBuilder::Trouble::kNone) return CheckBuilder();
  Status status;
  Record* record = builder.Finish(RecordKind::kRows);
  node.record = record;
  claimer.Start(record, snapshot, store().catalog().NextId());
  for (;;) {
    Claimer::Result result = Claimer::Result::kFull;
    const ViewPin view = session->PinView();
    Generation& active = *view->active;
    if (active.Enter(claimer.rows_left())) {
      result = claimer.ClaimIn(active, view->HasOlder());
      active.Leave();
      if (!claimer.unseen().empty()) status = CheckUnseen(*view);
      if (!status.ok()) return status;
    }
    if (result == Claimer::Result::kDone) return {};
    if (result == Claimer::Result::kRefused) {
      record->lsn.store(kAborted, std::memory_order_release);
      return Refuse(claimer.refusal(), claimer.refused_table(), claimer.refused_key());
    }
    status = result == Claimer::Result::kFull
                 ? store().Freeze(active, claimer.rows_left(), claimer.made_changes())
                 : Status(StatusCode::kNoSpace, "out of memory for a table");
    if (!status.ok()) return AbortClaims(std::move(status));
  }
}

// Rows that were new to the active generation may not be new to the older ones.
Status TransactionState::CheckUnseen(const View& view) {
  const auto& unseen = claimer.unseen();
  int64_t first = INT64_MAX, last = INT64_MIN;
  bool one_table_of_inserts = true;
  for (const UnseenRow& one : unseen) {
    const Row row = DecodeRow(node.record->body() + one.offset);
    first = std::min(first, row.key);
    last = std::max(last, row.key);
    one_table_of_inserts &= one.table == unseen.front().table && row.op == RowOp::kInsert;
  }
  if (!one_table_of_inserts) return CheckOlder(view, true);
  const TableId table = unseen.front().table;
  auto in_runs = session->empty_range().RunsMayHave(view, table, first, last);
  if (!in_runs.ok()) return AbortClaims(in_runs.TakeStatus());
  if (!*in_runs && !view.FrozenMayHave(table, first, last)) return {};
  return CheckOlder(view, *in_runs);
}

// Row by row; the cache misses of the frozen generations overlap.
Status TransactionState::CheckOlder(const View& view, bool in_runs) {
  const auto key_of = [this](const UnseenRow& one) {
    return DecodeRow(node.record->body() + one.offset).key;
  };
  for (const UnseenRow& one : claimer.unseen()) view.PrefetchFrozen(one.table, key_of(one));
  for (const UnseenRow& one : claimer.unseen()) {
    const Row row = DecodeRow(node.record->body() + one.offset);
    Result<FoundVersion> newest =
        in_runs ? view.NewestOlder(one.table, row.key) : view.NewestFrozen(one.table, row.key);
    if (!newest.ok()) return AbortClaims(newest.TakeStatus());
    if (newest->found && newest->record == node.record) continue;
    const StatusCode code =
        CheckVersion(row.op, newest->found, newest->lsn, newest->live(), snapshot);
    if (code == StatusCode::kOk) continue;
    node.record->lsn.store(kAborted, std::memory_order_release);
    return Refuse(code, one.table, row.key);
  }
  return {};
}

Status TransactionState::AbortClaims(Status why) {
  node.record->lsn.store(kAborted, std::memory_order_release);
  End(true);
  return why;
}

bool TransactionState::HasRows() const {
  return builder.rows() != 0 || builder.trouble() != RecordBuilder::Trouble::kNone;
}

Status TransactionState::Commit() {
  if (phase != Phase::kOpen) return OverStatus();
  Status status = HasRows() ? SubmitRows(false) : SubmitNothing();
  return status.ok() ? Await() : status;
}

Status TransactionState::CommitAsync() {
  if (phase != Phase::kOpen) return OverStatus();
  if (!HasRows()) return SubmitNothing();
  // The exclusive writer's lock lasts until its rows are durable, so there is nothing to gain.
  return SubmitRows(kind != TransactionKind::kExclusive);
}

// Joins a group, or makes one of its own where it is exclusive. `pipelined`: the flusher leads;
// else this thread does where a leader is needed.
Status TransactionState::SubmitRows(bool pipelined) {
  GroupCommit& group = store().group();
  if (group.poisoned()) {
    End(false);
    return group.Failure(StatusCode::kPoisoned);
  }
  Status status = store().AwaitTurn();
  if (!status.ok()) {
    End(false);
    return status;
  }
  status = Claim();
  if (!status.ok()) return status;
  if (kind == TransactionKind::kSerial && group.ConcurrentJoins() != concurrent_joins_) {
    node.record->lsn.store(kAborted, std::memory_order_release);
    return CheckStillSerial();
  }
  Snapshots::Close(*snapshot_place);
  builder.End(true);  // the rest of the chunk is for the session's next transaction
  phase = Phase::kSubmitted;
  if (kind == TransactionKind::kExclusive) {
    group.CommitAlone(node);
    ReleaseWriterLock();
    return {};
  }
  const bool must_lead = group.Push(node);
  if (kind == TransactionKind::kSerial) ReleaseWriterLock();
  if (must_lead && pipelined) group.LeaveToFlusher();
  if (must_lead && !pipelined) group.Lead();
  return {};
}

// A serial reader has seen what had joined; it may only say Ok once that is durable.
Status TransactionState::SubmitNothing() {
  GroupCommit& group = store().group();
  if (node.reads_joined) {
    group.Flush();
    Status status = CheckStillSerial();
    if (!status.ok()) return status;
    const bool aborted = group.AbortEpoch() != node.abort_epoch;
    if (group.poisoned() || aborted) {
      End(false);
      return group.Failure(aborted ? group.FailureCode() : StatusCode::kPoisoned);
    }
  }
  node.outcome = StatusCode::kOk;
  node.durable_at = std::chrono::steady_clock::now();
  node.finished.store(true, std::memory_order_relaxed);
  phase = Phase::kSubmitted;
  ReleaseWriterLock();
  return {};
}

Status TransactionState::Await() {
  if (phase != Phase::kSubmitted) return OverStatus();
  store().group().Wait(node);
  return FinishSubmitted();
}

Status TransactionState::FinishSubmitted() {
  durable_at = node.durable_at;
  const StatusCode outcome = node.outcome;
  End(true);
  return outcome == StatusCode::kOk ? Status() : store().group().Failure(outcome);
}

void TransactionState::Rollback() {
  if (phase == Phase::kOpen) End(false);
}

void TransactionState::ReleaseWriterLock() {
  if (!holds_writer_lock_) return;
  holds_writer_lock_ = false;
  store().writer_lock().Release();
}

// `keep_record`: some table or the log may refer to the record's bytes.
void TransactionState::End(bool keep_record) {
  if (builder.open()) {
    builder.End(keep_record || (node.record != nullptr && claimer.made_changes()));
  }
  node.record = nullptr;
  indexed_body_ = nullptr;
  if (!own_rows_.empty()) own_rows_.clear();
  phase = Phase::kOver;
  Snapshots::Close(*snapshot_place);
  ReleaseWriterLock();
}

}  // namespace burin
