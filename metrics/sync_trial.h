// Tries what a sync does in a folder: whether it works, how long it takes, and whether the block
// device below saw it.
// Thread rule: a function; it makes one file without a name, or removes it at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace metrics {

struct SyncTrial {
  std::string error;  // one line where writing or syncing failed, and nothing else is known then
  int syncs = 0;      // each behind a write of a block
  double median_us = 0;
  std::string device;              // "vda"; empty: none that the kernel keeps accounts of
  std::optional<uint64_t> writes;  // that the device completed meanwhile
  bool volatile_cache = false;     // of the device: what it has written needs a flush, too
  std::optional<uint64_t> flushes;
};

// Within a second, or one sync.
SyncTrial TrySyncs(const std::string& folder);

}  // namespace metrics
