// The snapshots that open transactions read under, so that checkpoints and merges keep the versions
// these can see.
//
// Thread rule: Open and Close by the owner of the place, the rest from any thread.
#pragma once

#include <atomic>
#include <list>
#include <mutex>
#include <vector>

#include "engine/log/format.h"

namespace burin {

class Snapshots {
 public:
  static constexpr Lsn kNone = ~Lsn{0};
  struct Place {
    std::atomic<Lsn> lsn{kNone};
  };

  Place* AddPlace() {
    const std::lock_guard lock(mutex_);
    return &places_.emplace_back();
  }
  void RemovePlace(Place* place) {
    const std::lock_guard lock(mutex_);
    places_.remove_if([place](const Place& one) { return &one == place; });
  }

  // Opens a snapshot of what `durable()` says. Looking again after it is visible here makes sure
  // that whoever collected the open ones before has not let go of anything above what is returned.
  template <typename Durable>
  static Lsn Open(Place& place, Durable durable) {
    Lsn lsn = durable();
    for (;;) {
      place.lsn.store(lsn);
      const Lsn again = durable();
      if (again == lsn) return lsn;
      lsn = again;
    }
  }
  static void Close(Place& place) { place.lsn.store(kNone, std::memory_order_release); }

  // All open ones, ascending, each once. Versions must be final below `durable` when this is
  // called.
  std::vector<Lsn> Collect() const;

 private:
  mutable std::mutex mutex_;
  std::list<Place> places_;
};

}  // namespace burin
