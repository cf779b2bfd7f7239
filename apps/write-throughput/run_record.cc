#include "apps/write-throughput/run_record.h"

#include <algorithm>

#include "apps/write-throughput/harness_cost.h"
#include "apps/write-throughput/phase_figures.h"
#include "apps/write-throughput/thread_rows.h"

namespace throughput {
namespace {

// The parts of the record that were known before the run.
metrics::ResultRecord RecordOfCell(const RunPlan& plan, const std::optional<LoadedEngine>& loaded) {
  const Cell& cell = plan.cell;
  metrics::ResultRecord record;
  record.system = cell.engine->system;
  record.engine_version = cell.engine->version;
  if (loaded) {
    record.system = loaded->system;
    record.engine_version = loaded->version;
    record.engine_library = loaded->path;
    record.engine_source_id = loaded->source_id;
  }
  record.threads = cell.threads;
  record.batch_size = cell.batch_size;
  record.compute_us = cell.compute_us;
  record.compute_clock = plan.options.compute_clock == ComputeClock::kCpu ? "cpu" : "wall";
  record.mode = ModeName(cell.mode);
  record.hasher = cell.hasher;
  if (cell.engine->io_refusal != nullptr) record.engine_io = IoName(plan.options.io);
  record.in_flight = Pipelined(cell.mode) ? plan.options.in_flight : 0;
  record.value_size_bytes = plan.options.value_size.value_or(0);
  record.cell = cell.number;
  record.repeat = plan.repeat;
  return record;
}

void AddThreads(const Load& load, int64_t batch_size, metrics::ResultRecord& record) {
  for (const auto& thread : load.threads()) {
    const PhaseLog& log = thread->log(Phase::kMeasured);
    record.rows_per_thread.push_back(thread->transactions() * batch_size);
    record.rows += thread->transactions() * batch_size;
    record.transactions += thread->transactions();
    record.retries += thread->retries();
    record.conflicts += thread->conflicts();
    record.in_doubt += std::ssize(log.in_doubt);
    record.row_bytes += thread->row_bytes();
    record.commit_latency_ns.Merge(thread->commit_latency_ns());
  }
}

// Saturated: when the last transactions began, the load was further behind its rate than the
// threads could make up at once, and by more than a hundredth of all.
void AddArrivals(const Load& load, int64_t rate, metrics::ResultRecord& record) {
  metrics::OpenLoop open_loop;
  open_loop.rate = rate;
  int64_t behind = 0;
  for (const auto& thread : load.threads()) {
    const ArrivalLog& log = thread->arrivals();
    open_loop.service_ns.Merge(log.service_ns);
    open_loop.backlog_most += log.backlog_most;
    open_loop.backlog_last += log.backlog_last;
    behind += log.behind_last;
  }
  open_loop.saturated = behind > std::max<int64_t>(record.threads, record.transactions / 100);
  record.open_loop = std::move(open_loop);
}

// An engine that counts itself knows more: which bytes only prepare space, and what it sends by
// ways that cannot be watched.
void AddWrites(const Window& window, bool counts_itself, metrics::ResultRecord& record) {
  const CallCounts& calls = window.calls();
  record.os_syncs = calls.syncs;
  record.os_range_syncs = calls.range_syncs;
  record.os_writes = calls.writes;
  record.os_bytes_written = calls.bytes;
  record.sync_latency_ns = calls.SyncLatency();
  record.device_flushes = window.device_flushes();
  record.kernel_syncs = window.kernel_syncs();
  record.busy_waits = window.counts().busy_waits;
  record.syncs = counts_itself ? window.counts().syncs : calls.syncs;
  record.bytes_prepared = window.counts().bytes_prepared;
  record.bytes_written = counts_itself ? window.counts().bytes_written
                                       : calls.bytes - std::min(calls.bytes, record.bytes_prepared);
}

metrics::Background BackgroundOf(const TargetCounts& counts) {
  metrics::Background background;
  background.checkpoints = counts.checkpoints;
  background.merges = counts.merges;
  background.bytes_written = counts.background_bytes;
  background.cpu_ns = counts.background_cpu_ns;
  background.stalls = counts.stalls;
  background.stall_ns = counts.stall_ns;
  background.longest_stall_ns = counts.longest_stall_ns;
  background.longest_sync_ns = counts.longest_sync_ns;
  return background;
}

void AddWindow(const Window& window, bool counts_itself, metrics::CounterMode mode,
               metrics::ResultRecord& record) {
  record.seconds = window.seconds();
  record.user_seconds = window.cpu().user_seconds;
  record.system_seconds = window.cpu().system_seconds;
  if (record.seconds > 0) {
    record.rows_per_second = static_cast<double>(record.rows) / record.seconds;
  }
  AddWrites(window, counts_itself, record);
  record.background = BackgroundOf(window.counts());
  metrics::Selection shown = metrics::SelectShown(window.Readings(), mode);
  record.counters = std::move(shown.readings);
  record.counters_note = std::move(shown.note);
}

// What is known beside the window's totals.
void AddSplits(const RunPlan& plan, const RunWitnesses& seen, metrics::ResultRecord& record) {
  const double thread_ns = record.seconds * 1e9 * record.threads;
  if (thread_ns > 0) {
    const double harness_ns = static_cast<double>(record.transactions) *
                              HarnessNsPerTransaction(seen.load_plan, plan.values);
    record.harness_percent = std::min(100.0, 100 * harness_ns / thread_ns);
  }
  if (seen.threads != nullptr) {
    AddThreadRows(seen.threads->Readings(), plan.options.counters, record);
  }
  std::vector<PhaseSplit> splits;
  for (const auto& thread : seen.load.threads()) {
    if (thread->split()) splits.push_back(*thread->split());
  }
  AddPhases(splits, record);
}

}  // namespace

metrics::ResultRecord RecordOf(const RunPlan& plan, const RunWitnesses& seen) {
  metrics::ResultRecord record = RecordOfCell(plan, seen.loaded);
  AddThreads(seen.load, plan.cell.batch_size, record);
  if (plan.options.rate) AddArrivals(seen.load, *plan.options.rate, record);
  AddWindow(seen.window, plan.cell.engine->counts_itself, plan.options.counters, record);
  AddSplits(plan, seen, record);
  record.interrupted = seen.result.interrupted;
  record.start_skew_us = seen.result.start_skew_us;
  return record;
}

}  // namespace throughput
