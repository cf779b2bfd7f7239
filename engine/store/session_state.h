// What a Session handle stands for: the transactions of one thread, and the view they look through.
//
// Thread rule: one thread at a time.
#pragma once

#include <memory>
#include <vector>

#include "engine/store/store.h"
#include "engine/store/transaction_state.h"

namespace burin {

class SessionState {
 public:
  SessionState(Store& store, uint32_t number) : store_(store), number_(number) {}

  Result<TransactionState*> Begin(TransactionKind kind);
  void GiveBack(TransactionState* state) { idle_.push_back(state); }

  // The newest view; replaced as soon as a generation was frozen.
  const View& view() {
    if (store_.view_version() != view_version_) RefreshView();
    return *view_;
  }

  Store& store() { return store_; }
  ChunkReserve& reserve() { return reserve_; }
  uint32_t number() const { return number_; }

 private:
  void RefreshView();

  Store& store_;
  const uint32_t number_;  // tells sleepers apart
  uint64_t view_version_ = 0;
  std::shared_ptr<const View> view_;
  ChunkReserve reserve_;
  std::vector<std::unique_ptr<TransactionState>> transactions_;
  std::vector<TransactionState*> idle_;
};

}  // namespace burin
