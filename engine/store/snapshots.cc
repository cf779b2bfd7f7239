#include "engine/store/snapshots.h"

#include <algorithm>

namespace burin {

std::vector<Lsn> Snapshots::Collect() const {
  std::vector<Lsn> open;
  {
    const std::lock_guard lock(mutex_);
    for (const Place& place : places_) {
      if (const Lsn lsn = place.lsn.load(); lsn != kNone) open.push_back(lsn);
    }
  }
  std::sort(open.begin(), open.end());
  open.erase(std::unique(open.begin(), open.end()), open.end());
  return open;
}

}  // namespace burin
