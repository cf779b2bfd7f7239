// Whether a run was as durable as its engine claims: judged by what was counted, not by the claim.
//
// With T threads and F transactions in flight in each, one sync can serve at most T times F
// commits. An engine is accused only where both counts are too small for that: the syncs seen to
// pass, by the process itself and, where it may be asked, by the kernel; and the device's flushes.
// Where only the first is, somebody may have synced by ways out of our sight: that is a doubt and
// no more. Thread rule: a function of its arguments.
#pragma once

#include <optional>

#include "apps/write-throughput/targets/target.h"
#include "metrics/block_device.h"
#include "metrics/result_record.h"

namespace throughput {

inline constexpr const char* kDurabilityCounted = "counted";
inline constexpr const char* kDurabilityUnclear = "unclear";
inline constexpr const char* kDurabilityRefuted = "refuted";
inline constexpr const char* kDurabilityNotClaimed = "not claimed";
inline constexpr const char* kDurabilityOutOfSight = "out of sight";

// Fills in durability and durability_note of `record`. `device`: the one of the database.
void JudgeDurability(const TargetInfo& engine, const std::optional<metrics::BlockDevice>& device,
                     metrics::ResultRecord& record);

}  // namespace throughput
