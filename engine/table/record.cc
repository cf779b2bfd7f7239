#include "engine/table/record.h"

#include <algorithm>
#include <cassert>

namespace burin {

void ReplacedVersions::Add(uint32_t offset, VersionRef replaced) {
  const uint32_t count = count_.load(std::memory_order_relaxed);
  assert(count < capacity_ && (count == 0 || entries_[count - 1].offset < offset));
  entries_[count] = {offset, replaced};
  count_.store(count + 1, std::memory_order_release);
}

VersionRef ReplacedVersions::Find(uint32_t offset) const {
  const Entry* begin = entries_.get();
  const Entry* end = begin + count_.load(std::memory_order_acquire);
  const Entry* found =
      std::lower_bound(begin, end, offset,
                       [](const Entry& entry, uint32_t wanted) { return entry.offset < wanted; });
  return found != end && found->offset == offset ? found->replaced : VersionRef{};
}

void Record::Replaces(uint32_t offset, VersionRef version, uint32_t rows_left) {
  ReplacedVersions* versions = replaced.load(std::memory_order_relaxed);
  if (versions == nullptr) {
    versions = new ReplacedVersions(rows_left);
    replaced.store(versions, std::memory_order_release);
  }
  versions->Add(offset, version);
}

}  // namespace burin
