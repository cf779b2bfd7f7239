// What a Session handle stands for: the transactions of one thread, and its place among the
// readers.
//
// Thread rule: one thread at a time.
#pragma once

#include <memory>
#include <vector>

#include "engine/store/empty_range_memo.h"
#include "engine/store/store.h"
#include "engine/store/transaction_state.h"

namespace burin {

class SessionState {
 public:
  SessionState(Store& store, uint32_t number);
  ~SessionState();

  // Begins in `state`, one of this session's that is over; null: in an idle one, which it becomes.
  Status Begin(TransactionKind kind, TransactionState*& state);
  void GiveBack(TransactionState* state) { idle_.push_back(state); }

  // The newest view, for the length of an operation.
  ViewPin PinView() { return ViewPin(store_.views(), *place_); }

  Store& store() { return store_; }
  ChunkReserve& reserve() { return reserve_; }
  EmptyRangeMemo& empty_range() { return empty_range_; }
  uint32_t number() const { return number_; }

 private:
  [[gnu::cold]] TransactionState* TakeIdle();
  [[gnu::cold]] Status Busy() const;

  Store& store_;
  const uint32_t number_;  // tells sleepers apart
  ViewKeeper::Place* const place_;
  ChunkReserve reserve_;
  EmptyRangeMemo empty_range_;
  std::vector<std::unique_ptr<TransactionState>> transactions_;
  std::vector<TransactionState*> idle_;
};

}  // namespace burin
