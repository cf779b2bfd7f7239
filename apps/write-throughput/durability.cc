#include "apps/write-throughput/durability.h"

#include <fmt/format.h>

#include <algorithm>

namespace throughput {
namespace {

using metrics::ResultRecord;

// In floating point: the product may have more than 64 bits, and nothing hangs on the last of them.
bool Enough(uint64_t syncs, const ResultRecord& record) {
  const double commits_per_sync =
      static_cast<double>(record.threads) * std::max(1, record.in_flight);
  return static_cast<double>(syncs) * commits_per_sync >= static_cast<double>(record.transactions);
}

// Why the device's count does not settle it; empty: it does, and speaks against the engine.
std::string DeviceDoubt(const std::optional<metrics::BlockDevice>& device,
                        const ResultRecord& record) {
  if (!device || record.device_flushes < 0) return "the device does not tell its flushes";
  if (!device->has_volatile_cache()) return "the device has no cache that would need flushes";
  const auto flushes = static_cast<uint64_t>(record.device_flushes);
  if (Enough(flushes, record)) {
    return fmt::format("the device was flushed {} times, for whomever", flushes);
  }
  const bool writes_seen = record.os_bytes_written >= record.row_bytes;
  if (device->writes_through_on_demand() && !writes_seen) {
    return "its writes were not seen, and the device can write through without flushes";
  }
  return "";
}

// Whoever saw the most: each of them may have missed some.
uint64_t SyncsSeen(const ResultRecord& record) {
  const auto by_kernel = static_cast<uint64_t>(std::max<int64_t>(0, record.kernel_syncs));
  return std::max({record.syncs, record.os_syncs, by_kernel});
}

std::string Counted(const ResultRecord& record) {
  const std::string in_flight =
      record.in_flight > 0 ? fmt::format(" with {} in flight each", record.in_flight) : "";
  const char* by_kernel = record.kernel_syncs < 0 ? "" : " by the kernel's count, too,";
  return fmt::format("{} syncs{} for {} commits of {} threads{}", SyncsSeen(record), by_kernel,
                     record.transactions, record.threads, in_flight);
}

void Set(ResultRecord& record, const char* durability, std::string note) {
  record.durability = durability;
  record.durability_note = std::move(note);
}

}  // namespace

void JudgeDurability(const TargetInfo& engine, const std::optional<metrics::BlockDevice>& device,
                     ResultRecord& record) {
  if (!engine.claims_durability) {
    return Set(record, kDurabilityNotClaimed, engine.durability);
  }
  if (!engine.within_process) {
    return Set(record, kDurabilityOutOfSight,
               "a server does the syncs, where none can be counted: " + engine.durability);
  }
  if (Enough(SyncsSeen(record), record)) {
    return Set(record, kDurabilityCounted, "");
  }
  const std::string doubt = DeviceDoubt(device, record);
  if (!doubt.empty()) {
    return Set(record, kDurabilityUnclear,
               fmt::format("perhaps not durable: {}; but {}", Counted(record), doubt));
  }
  Set(record, kDurabilityRefuted,
      fmt::format("not durable, although {} claims it: {}, and the device was flushed {} times",
                  record.system, Counted(record), record.device_flushes));
}

}  // namespace throughput
