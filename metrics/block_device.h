// The block device that a path lies on, and the kernel's count of its flushes: evidence of syncs
// that is independent of who made them and how. The count is of the whole device, other programs'
// flushes among them; the kernel may serve several syncs by one flush.
//
// Source: the kernel's Documentation/block/stat.rst (field 16 of 17: flush I/Os) and
// Documentation/ABI/stable/sysfs-block (queue/write_cache, queue/fua).
// Thread rule: constant once made; Flushes may be called from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace metrics {

class BlockDevice {
 public:
  // Of `path`, which need not exist yet: then of its nearest folder that does. Absent: it lies on
  // none of its own (tmpfs, overlays, network, some copy-on-write file systems).
  static std::optional<BlockDevice> Of(const std::string& path);

  // Of a device whose folder in sysfs this is.
  static std::optional<BlockDevice> InFolder(const std::string& folder);

  // Since the machine started; absent where the kernel does not tell.
  std::optional<uint64_t> Flushes() const;

  // False: nothing is lost without flushes, and the kernel sends none.
  bool has_volatile_cache() const { return has_volatile_cache_; }

  // True: a synchronous write may reach the medium without a flush.
  bool writes_through_on_demand() const { return writes_through_on_demand_; }

 private:
  std::string stat_path_;
  bool has_volatile_cache_ = true;
  bool writes_through_on_demand_ = false;
};

// From the text of a device's stat file; absent where it has no such field.
std::optional<uint64_t> FlushesOfStat(std::string_view stat);

}  // namespace metrics
