#include "engine/runs/index_page.h"

#include <algorithm>
#include <cstring>

namespace burin {
namespace {

bool InOrder(std::span<const BlockIndexEntry> entries, const RootEntry& place) {
  for (size_t i = 0; i < entries.size(); ++i) {
    const BlockIndexEntry& entry = entries[i];
    if (entry.first_key > entry.last_key || entry.bytes < sizeof(BlockHeader)) return false;
    if (i == 0) continue;
    if (entry.first_key < entries[i - 1].last_key) return false;
    if (entry.offset != entries[i - 1].EndOffset()) return false;
  }
  // The first offset bounds the sizes, so that their sums cannot wrap.
  return entries.front().offset <= place.offset && entries.back().EndOffset() == place.offset &&
         entries.front().first_key == place.first_key && entries.back().last_key == place.last_key;
}

}  // namespace

std::string_view WhyBadIndexPage(std::string_view bytes, const RootEntry& place, uint64_t run_id,
                                 uint64_t seed) {
  IndexPageHeader header;
  if (bytes.size() != place.PageBytes()) return "the index page's size differs from the root";
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.checksum != Checksum(bytes.data() + sizeof header.checksum,
                                  bytes.size() - sizeof header.checksum, seed)) {
    return "the index page's checksum differs";
  }
  if (header.run_id != run_id || header.offset != place.offset || header.table != place.table ||
      header.entries != place.entries) {
    return "it is another index page than the root names";
  }
  if (!InOrder(IndexPage(bytes).entries(), place)) return "the index page is out of order";
  return {};
}

void EncodeIndexPage(std::span<const BlockIndexEntry> entries, TableId table, uint64_t run_id,
                     uint64_t offset, uint64_t seed, char* to) {
  IndexPageHeader header;
  header.run_id = run_id;
  header.offset = offset;
  header.table = table;
  header.entries = static_cast<uint32_t>(entries.size());
  std::memcpy(to, &header, sizeof header);
  std::memcpy(to + sizeof header, entries.data(), entries.size_bytes());
  header.checksum = Checksum(to + sizeof header.checksum,
                             sizeof header - sizeof header.checksum + entries.size_bytes(), seed);
  std::memcpy(to, &header.checksum, sizeof header.checksum);
}

IndexPage::IndexPage(std::string_view proven_bytes)
    : entries_((proven_bytes.size() - sizeof(IndexPageHeader)) / sizeof(BlockIndexEntry)) {
  IndexPageHeader header;
  std::memcpy(&header, proven_bytes.data(), sizeof header);
  table_ = header.table;
  std::memcpy(entries_.data(), proven_bytes.data() + sizeof header,
              entries_.size() * sizeof(BlockIndexEntry));
}

size_t IndexPage::FirstReaching(int64_t key) const {
  const auto found = std::lower_bound(
      entries_.begin(), entries_.end(), key,
      [](const BlockIndexEntry& entry, int64_t wanted) { return entry.last_key < wanted; });
  return static_cast<size_t>(found - entries_.begin());
}

}  // namespace burin
