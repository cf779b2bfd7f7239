#include "apps/write-throughput/disk_limit.h"

#include "apps/write-throughput/database_path.h"

namespace throughput {
namespace {

constexpr std::string_view kLimit = "raw-log";
constexpr std::chrono::seconds kDuration(1);

}  // namespace

bool HasDiskLimit(const TargetInfo& engine) {
  return engine.has_files && engine.within_process && engine.name != kLimit;
}

Expected<DiskLimit> MeasureDiskLimit(const RunPlan& plan, const std::string& path,
                                     Interrupt& interrupt) {
  // Nothing of the cell's options but what shapes the bytes and the syncs.
  Options options;
  options.database = path;
  options.duration = kDuration;
  options.timeout = plan.options.timeout;
  options.counters = metrics::CounterMode::kNone;
  Cell cell = plan.cell;
  cell.engine = FindTarget(kLimit);
  cell.hasher.clear();
  cell.compute_us = 0;
  cell.mode = plan.cell.mode == Mode::kLegacy ? Mode::kLegacy : Mode::kLogicalLog;
  const RunOutcome outcome = RunInProcess({options, cell, 1, plan.values}, interrupt, {});
  const auto removed = RemoveDatabase(*cell.engine, path);
  if (outcome.failure) return tl::unexpected(Failure{*outcome.failure});
  if (!removed) return tl::unexpected(removed.error());
  return DiskLimit{outcome.record ? outcome.record->rows_per_second : 0, outcome.interrupted};
}

}  // namespace throughput
