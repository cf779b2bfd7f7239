// The handles that engine.h gives out for a thread's work: each forwards to its state.
#include "engine/store/session_state.h"

namespace burin {

SessionState::SessionState(Store& store, uint32_t number)
    : store_(store), number_(number), place_(store.views().AddPlace()), reserve_(store.chunks()) {}

SessionState::~SessionState() {
  for (const auto& transaction : transactions_) {
    store_.snapshots().RemovePlace(transaction->snapshot_place);
  }
  store_.views().RemovePlace(place_);
}

Status SessionState::Begin(TransactionKind kind, TransactionState*& state) {
  if (kind != TransactionKind::kConcurrent &&
      !store_.writer_lock().AcquireWithin(store_.options().busy_timeout)) {
    return Busy();
  }
  if (state == nullptr) state = TakeIdle();
  state->Begin(*this, kind);
  return {};
}

TransactionState* SessionState::TakeIdle() {
  if (idle_.empty()) {
    TransactionState* made = transactions_.emplace_back(std::make_unique<TransactionState>()).get();
    made->session = this;
    made->snapshot_place = store_.snapshots().AddPlace();
    made->node.bell_bit = GroupBell::BitOf(number_);
    return made;
  }
  TransactionState* state = idle_.back();
  idle_.pop_back();
  return state;
}

Status SessionState::Busy() const {
  return {StatusCode::kBusy, "the writer lock was not free within " +
                                 std::to_string(store_.options().busy_timeout.count()) + " ms"};
}

Session::Session(std::unique_ptr<SessionState> state) : state_(std::move(state)) {}
Session::~Session() = default;

Result<Transaction> Session::Begin(TransactionKind kind) {
  Transaction transaction;
  Status status = Begin(kind, transaction);
  if (!status.ok()) return status;
  return transaction;
}

Status Session::Begin(TransactionKind kind, Transaction& transaction) {
  TransactionState* const last = transaction.state_;
  if (last != nullptr &&
      (last->phase != TransactionState::Phase::kOver || last->session != state_.get())) {
    transaction.Reset();
  }
  return state_->Begin(kind, transaction.state_);
}

Transaction& Transaction::operator=(Transaction&& other) noexcept {
  if (this != &other) {
    Reset();
    state_ = std::exchange(other.state_, nullptr);
  }
  return *this;
}

Transaction::~Transaction() { Reset(); }

void Transaction::Reset() {
  if (state_ == nullptr) return;
  if (state_->phase == TransactionState::Phase::kSubmitted) static_cast<void>(state_->Await());
  state_->Rollback();
  state_->session->GiveBack(state_);
  state_ = nullptr;
}

namespace {

Status NoTransaction() { return {StatusCode::kTransactionOver, "there is no transaction"}; }

}  // namespace

Status Transaction::Insert(TableId table, int64_t key, std::string_view value) {
  return state_ ? state_->Write(table, key, RowOp::kInsert, value) : NoTransaction();
}

Status Transaction::Update(TableId table, int64_t key, std::string_view value) {
  return state_ ? state_->Write(table, key, RowOp::kUpdate, value) : NoTransaction();
}

Status Transaction::Erase(TableId table, int64_t key) {
  return state_ ? state_->Write(table, key, RowOp::kErase, {}) : NoTransaction();
}

Result<std::optional<std::string>> Transaction::Get(TableId table, int64_t key) {
  if (state_ == nullptr) return NoTransaction();
  return state_->Get(table, key);
}

Status Transaction::Scan(TableId table, int64_t first, int64_t last,
                         const std::function<bool(int64_t, std::string_view)>& row) {
  return state_ ? state_->Scan(table, first, last, row) : NoTransaction();
}

Status Transaction::Commit() { return state_ ? state_->Commit() : NoTransaction(); }
Status Transaction::CommitAsync() { return state_ ? state_->CommitAsync() : NoTransaction(); }
Status Transaction::Await() { return state_ ? state_->Await() : NoTransaction(); }
bool Transaction::Durable() const { return state_ == nullptr || state_->durable(); }

std::chrono::steady_clock::time_point Transaction::durable_at() const {
  return state_ ? state_->durable_at : std::chrono::steady_clock::time_point();
}

void Transaction::Rollback() {
  if (state_ != nullptr) state_->Rollback();
}

void Batch::Insert(TableId table, int64_t key, std::string_view value) {
  if (state_ != nullptr) state_->Append(table, key, RowOp::kInsert, value);
}

void Batch::Update(TableId table, int64_t key, std::string_view value) {
  if (state_ != nullptr) state_->Append(table, key, RowOp::kUpdate, value);
}

void Batch::Erase(TableId table, int64_t key) {
  if (state_ != nullptr) state_->Append(table, key, RowOp::kErase, {});
}

}  // namespace burin
