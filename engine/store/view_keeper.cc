#include "engine/store/view_keeper.h"

#include <algorithm>

namespace burin {

ViewKeeper::Place* ViewKeeper::AddPlace() {
  const std::lock_guard lock(mutex_);
  return &places_.emplace_back();
}

void ViewKeeper::RemovePlace(Place* place) {
  const std::lock_guard lock(mutex_);
  places_.remove_if([place](const Place& one) { return &one == place; });
}

std::vector<std::unique_ptr<const View>> ViewKeeper::TakeUnused() {
  std::vector<std::unique_ptr<const View>> unused;
  const auto in_use = [this](const std::unique_ptr<const View>& view) {
    return view == views_.back() ||
           std::any_of(places_.begin(), places_.end(),
                       [&](const Place& p) { return p.pinned.load() == view.get(); });
  };
  const auto first_unused = std::stable_partition(views_.begin(), views_.end(), in_use);
  std::move(first_unused, views_.end(), std::back_inserter(unused));
  views_.erase(first_unused, views_.end());
  return unused;
}

}  // namespace burin
