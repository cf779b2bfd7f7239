// The current view, and who still looks through an older one.
//
// A reader pins the view for the length of one operation by storing its address in a place of its
// own; a replaced view is destroyed once no place holds it. So reading shares no counter with other
// threads, and a session that rests keeps no memory alive.
// Thread rule: Pin and Unpin by the owner of the place, the rest from any thread.
#pragma once

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/table/view.h"

namespace burin {

class ViewKeeper {
 public:
  // One reader's; on a cache line of its own.
  struct alignas(64) Place {
    std::atomic<const View*> pinned{nullptr};
  };

  explicit ViewKeeper(std::unique_ptr<const View> first) : current_(first.get()) {
    views_.push_back(std::move(first));
  }

  Place* AddPlace();
  void RemovePlace(Place* place);

  const View& Pin(Place& place) const {
    const View* view = current_.load(std::memory_order_acquire);
    for (;;) {
      place.pinned.store(view);  // before looking again: a view seen as current now is kept
      const View* again = current_.load();
      if (again == view) return *view;
      view = again;
    }
  }
  static void Unpin(Place& place) { place.pinned.store(nullptr, std::memory_order_release); }

  // Makes `change(view)` of a copy the current view; one caller after the other.
  template <typename Change>
  void Replace(Change change) {
    std::vector<std::unique_ptr<const View>> unused;
    {
      const std::lock_guard lock(mutex_);
      auto next = std::make_unique<View>(*views_.back());
      ++next->number;
      change(*next);
      frozen_.store(next->frozen.size(), std::memory_order_release);
      current_.store(next.get());
      views_.push_back(std::move(next));
      unused = TakeUnused();
    }
    // Destroyed here, without the lock: that may free tables and delete files.
  }

  // How many frozen generations the current view has.
  size_t frozen() const { return frozen_.load(std::memory_order_acquire); }

  // Destroys what became unused since; for those who wait for memory.
  void Collect() {
    std::vector<std::unique_ptr<const View>> unused;
    {
      const std::lock_guard lock(mutex_);
      unused = TakeUnused();
    }
  }

  // A copy of the current view that needs no place; for the background threads.
  View Copy() const {
    const std::lock_guard lock(mutex_);
    return *views_.back();
  }

 private:
  std::vector<std::unique_ptr<const View>> TakeUnused();

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<const View>> views_;  // the current one last
  std::list<Place> places_;
  std::atomic<const View*> current_;
  std::atomic<size_t> frozen_{0};
};

// Pins for a scope; scopes of one place may nest.
class ViewPin {
 public:
  ViewPin(const ViewKeeper& keeper, ViewKeeper::Place& place)
      : place_(place), outer_(place.pinned.load(std::memory_order_relaxed)) {
    view_ = outer_ != nullptr ? outer_ : &keeper.Pin(place);
  }
  ~ViewPin() {
    if (outer_ == nullptr) ViewKeeper::Unpin(place_);
  }
  ViewPin(const ViewPin&) = delete;
  ViewPin& operator=(const ViewPin&) = delete;

  const View& operator*() const { return *view_; }
  const View* operator->() const { return view_; }

 private:
  ViewKeeper::Place& place_;
  const View* outer_;
  const View* view_;
};

}  // namespace burin
