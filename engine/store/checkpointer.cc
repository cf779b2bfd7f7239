#include "engine/store/checkpointer.h"

#include <pthread.h>

#include <chrono>

#include "engine/runs/retention.h"
#include "engine/table/ordered_versions.h"

namespace burin {
namespace {

using std::chrono::microseconds;

// A run has about as many bytes as its rows have in the log: it is there before the next generation
// is half full.
constexpr uint64_t kCheckpointShare = 2;

// Every record in a frozen generation gets its LSN or is aborted, unless the log is poisoned.
Status AwaitSettled(const Generation& generation, const GroupCommit& group) {
  constexpr microseconds kPause(200);
  while (!generation.Settled(group.durable())) {
    if (group.poisoned()) return group.Failure(StatusCode::kPoisoned);
    std::this_thread::sleep_for(kPause);
  }
  return {};
}

// More than merges that keep up ever leave: fifteen of a size, each size sixteen times the last.
constexpr size_t kMaxRuns = 96;

Status FillFromGeneration(const Generation& generation, const Retention& retention,
                          RunWriter& writer) {
  RetainingWriter retaining(retention, &writer);
  return ForEachVersionInOrder(generation, [&](const OrderedVersion& version) {
    return retaining.Add({.table = version.table,
                          .erased = version.erased,
                          .key = version.key,
                          .lsn = version.lsn,
                          .value = version.value});
  });
}

}  // namespace

Status CheckpointOldest(const BackgroundSurroundings& around, BackgroundCounts& counts) {
  const View view = around.views.Copy();
  if (view.frozen.empty()) return {};
  BackgroundTask task(counts, BackgroundTask::Kind::kCheckpoint, around.limit, kCheckpointShare);
  const std::shared_ptr<Generation> generation = view.frozen.back();
  Status status;
  if (around.group != nullptr) status = AwaitSettled(*generation, *around.group);
  if (!status.ok()) return status;
  const Retention retention{.snapshots = around.snapshots.Collect(),
                            .oldest_level = view.runs.empty()};
  auto run = MakeRun(around, task, [&](RunWriter& writer) {
    return FillFromGeneration(*generation, retention, writer);
  });
  if (!run.ok()) return run.TakeStatus();

  const LogStart log_start = around.log != nullptr
                                 ? around.log->OldestNeeded(generation->covers_lsn())
                                 : around.manifest.Copy().log_start;
  std::vector<std::string> tables;
  {
    const std::lock_guard lock(around.creating_table);
    tables = around.catalog.Names();
  }
  status = around.manifest.Change([&](Manifest& manifest) {
    manifest.runs.insert(manifest.runs.begin(), (*run)->id());
    manifest.checkpoint_lsn = generation->covers_lsn();
    manifest.log_start = log_start;
    manifest.tables = tables;
  });
  if (!status.ok()) return status;
  around.views.Replace([&](View& next) {
    next.frozen.pop_back();
    next.runs.insert(next.runs.begin(), *run);
  });
  ++counts.checkpoints;
  return around.log != nullptr ? around.log->ReleaseBefore(log_start.sequence) : Status();
}

void Checkpointer::Start() {
  checkpoints_ = std::thread(&Checkpointer::RunCheckpoints, this);
  for (std::thread& one : merges_) one = std::thread(&Checkpointer::RunMerges, this);
}

void Checkpointer::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  const Hurry hurry(around_.limit);
  if (checkpoints_.joinable()) checkpoints_.join();
  for (std::thread& one : merges_) {
    if (one.joinable()) one.join();
  }
}

void Checkpointer::Wake() {
  {
    const std::lock_guard lock(mutex_);
    wanted_ = true;
  }
  changed_.notify_all();
}

Status Checkpointer::AwaitFewer(size_t frozen) {
  const Hurry hurry(around_.limit);
  std::unique_lock lock(mutex_);
  const uint64_t before = attempts_;
  wanted_ = true;
  changed_.notify_all();
  for (;;) {
    if (around_.views.Copy().frozen.size() < frozen) return {};
    // The attempt that was under way when this began does not count: it may have failed for a
    // reason that is gone.
    if (attempts_ >= before + 2 && !last_failure_.ok()) return last_failure_;
    if (stop_) return {StatusCode::kTransactionOver, "the database is being closed"};
    if (!last_failure_.ok()) {
      wanted_ = true;
      changed_.notify_all();
    }
    changed_.wait(lock);
  }
}

void Checkpointer::RunCheckpoints() {
  pthread_setname_np(pthread_self(), "burin-checkpt");  // 15 bytes are all that a name has
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || wanted_; });
    if (stop_) return;
    wanted_ = false;
    while (!stop_ && !around_.views.Copy().frozen.empty()) {
      lock.unlock();
      // Merges that fall behind hold up checkpoints, and so in the end the writers.
      Status status = merger_.AwaitFewer(kMaxRuns);
      if (status.ok()) status = CheckpointOldest(around_, counts_);
      lock.lock();
      ++attempts_;
      last_failure_ = std::move(status);
      merge_wanted_ = true;
      changed_.notify_all();
      if (!last_failure_.ok()) break;
    }
  }
}

void Checkpointer::RunMerges() {
  pthread_setname_np(pthread_self(), "burin-merge");
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || merge_wanted_; });
    if (stop_) return;
    merge_wanted_ = false;
    lock.unlock();
    bool merged = true;
    while (merged && merger_.MergeSome(merged).ok()) {
    }
    lock.lock();
  }
}

}  // namespace burin
