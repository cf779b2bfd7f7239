// What a Transaction handle stands for: its snapshot, its rows, and its way to the log.
//
// transaction_state.cc has reads, writes and the end, transaction_commit.cc the way to the log.
//
// Phases: open -> submitted -> over. A failure of any kind leads to over, and every call after it
// answers kTransactionOver.
// Thread rule: one thread at a time; the commit node belongs to the log while submitted.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/engine.h"
#include "engine/log/group_commit.h"
#include "engine/store/own_rows_index.h"
#include "engine/store/record_builder.h"
#include "engine/store/snapshots.h"
#include "engine/table/claim.h"
#include "engine/table/view.h"

namespace burin {

class Store;
class SessionState;

struct TransactionState {
  enum class Phase { kOpen, kSubmitted, kOver };

  void Begin(SessionState& owner, TransactionKind with);
  void Append(TableId table, int64_t key, RowOp op, std::string_view value) {
    builder.Append(table, key, op, value);
  }
  Status Write(TableId table, int64_t key, RowOp op, std::string_view value);  // checks first
  Result<std::optional<std::string>> Get(TableId table, int64_t key);
  Status Scan(TableId table, int64_t first, int64_t last,
              const std::function<bool(int64_t, std::string_view)>& row);
  Status Commit();
  Status CommitAsync();
  Status Await();
  void Rollback();

  bool durable() const { return phase != Phase::kSubmitted || node.finished.load(); }

  SessionState* session = nullptr;
  Snapshots::Place* snapshot_place = nullptr;  // the state's own for as long as it lives
  TransactionKind kind = TransactionKind::kConcurrent;
  Phase phase = Phase::kOver;
  Lsn snapshot = 0;
  RecordBuilder builder;
  Claimer claimer;
  CommitNode node;
  std::chrono::steady_clock::time_point durable_at;

 private:
  Store& store() const;
  [[gnu::cold]] Status OverStatus() const;
  Status CheckStillSerial();
  [[gnu::noinline]] Status CheckBuilder();
  Status Claim();
  [[gnu::noinline]] Status CheckUnseen(const View& view);
  Status CheckOlder(const View& view, bool in_runs);
  [[gnu::cold]] Status AbortClaims(Status why);
  [[gnu::cold]] Status Refuse(StatusCode code, TableId table, int64_t key);
  bool HasRows() const;
  // Of two callers, but once for each transaction: a call costs 40 instructions.
  [[gnu::always_inline]] inline Status SubmitRows(bool pipelined);
  [[gnu::noinline]] Status SubmitNothing();
  Status FinishSubmitted();
  void ReleaseWriterLock();
  void Release(bool keep_record);
  void End(bool keep_record);

  bool holds_writer_lock_ = false;
  uint64_t concurrent_joins_ = 0;  // when a kSerial transaction began
  OwnRowsIndex own_rows_;
};

}  // namespace burin
