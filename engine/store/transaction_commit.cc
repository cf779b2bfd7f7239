// The second half of a transaction's life: its rows claim their places in the tables, and its
// record joins a group of the log.
#include <algorithm>

#include "engine/store/session_state.h"
#include "engine/store/store.h"
#include "engine/store/transaction_state.h"

namespace burin {
namespace {

// Whether a frozen generation may have a key, asked for keys that mostly are neighbours.
class FrozenKeyBlocks {
 public:
  explicit FrozenKeyBlocks(const View& view) : view_(view) {}

  bool MayHave(TableId table, int64_t key) {
    const int64_t block = KeyBlocks::BlockOf(key);
    if (block != block_ || table != table_) {
      table_ = table;
      block_ = block;
      may_have_ = view_.FrozenMayHave(table, key, key);
    }
    return may_have_;
  }

 private:
  const View& view_;
  TableId table_ = 0;  // the first block asked for may be this one: true is always safe
  int64_t block_ = 0;
  bool may_have_ = true;
};

}  // namespace

// Gives every row its place, or aborts the record.
Status TransactionState::Claim() {
  if (builder.trouble() != RecordBuilder::Trouble::kNone) return CheckBuilder();
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
      if (!claimer.unseen().empty()) {
        if (Status status = CheckUnseen(*view); !status.ok()) return status;
      }
    }
    if (result == Claimer::Result::kDone) return {};
    if (result == Claimer::Result::kRefused) {
      record->lsn.store(kAborted, std::memory_order_release);
      return Refuse(claimer.refusal(), claimer.refused_table(), claimer.refused_key());
    }
    Status status = result == Claimer::Result::kFull
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
  FrozenKeyBlocks frozen(view);
  for (const UnseenRow& one : claimer.unseen()) {
    const int64_t key = key_of(one);
    if (frozen.MayHave(one.table, key)) view.PrefetchFrozen(one.table, key);
  }
  for (const UnseenRow& one : claimer.unseen()) {
    const Row row = DecodeRow(node.record->body() + one.offset);
    const bool in_frozen = frozen.MayHave(one.table, row.key);
    if (!in_runs && !in_frozen) continue;
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
  if (Status status = HasRows() ? SubmitRows(false) : SubmitNothing(); !status.ok()) return status;
  return Await();
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
  if (Status status = store().AwaitTurn(); !status.ok()) {
    End(false);
    return status;
  }
  if (Status status = Claim(); !status.ok()) return status;
  if (kind == TransactionKind::kSerial && group.ConcurrentJoins() != concurrent_joins_) {
    node.record->lsn.store(kAborted, std::memory_order_release);
    return CheckStillSerial();
  }
  Release(true);
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
  Release(false);
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
  node.record = nullptr;
  phase = Phase::kOver;
  return outcome == StatusCode::kOk ? Status() : store().group().Failure(outcome);
}

}  // namespace burin
