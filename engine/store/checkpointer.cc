#include "engine/store/checkpointer.h"

#include <pthread.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <span>

#include "engine/runs/merge.h"
#include "engine/runs/run.h"
#include "engine/runs/run_writer.h"
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

// More than merges that keep up ever leave: three of a size, each size four times the last.
constexpr size_t kMaxRuns = 64;

using RunPtr = std::shared_ptr<const Run>;

// Makes a run of what `fill` puts into its writer.
template <typename Fill>
Result<RunPtr> MakeRun(const CheckpointSurroundings& around, BackgroundTask& task, Fill fill) {
  const uint64_t id = around.manifest.NextRun();
  auto writer =
      RunWriter::Create(around.files, around.folder, id, around.database, [&task](uint64_t bytes) {
        task.Wrote(bytes);
        return Status();
      });
  if (!writer.ok()) return writer.TakeStatus();
  Status status = fill(**writer);
  if (status.ok()) status = (*writer)->Finish();
  if (!status.ok()) return status;
  return Run::Open(around.files, around.folder, id, around.database, &around.cache);
}

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

// Runs grow by merging those of like size: a level is a power of four.
int LevelOf(const Run& run) { return static_cast<int>(std::bit_width(run.file_bytes()) + 1) / 2; }

// The part of `runs`, newest first, to merge next; empty: there are few enough. Merging only runs
// that are next to each other in age keeps their order.
std::span<const RunPtr> ChooseRuns(std::span<const RunPtr> runs) {
  constexpr size_t kFanIn = 4;
  size_t end = 0;
  int level = 0;  // a run that is smaller than a newer one counts as that one
  for (size_t begin = 0; begin < runs.size(); begin = end) {
    level = std::max(level, LevelOf(*runs[begin]));
    for (end = begin + 1; end < runs.size() && LevelOf(*runs[end]) <= level;) ++end;
    if (end - begin >= kFanIn) return runs.subspan(begin, end - begin);
  }
  return {};
}

}  // namespace

Status CheckpointOldest(const CheckpointSurroundings& around, BackgroundCounts& counts) {
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
  merges_ = std::thread(&Checkpointer::RunMerges, this);
}

void Checkpointer::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  const Hurry hurry(around_.limit);
  if (checkpoints_.joinable()) checkpoints_.join();
  if (merges_.joinable()) merges_.join();
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
      Status status = KeepRunsFew();
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
    while (merged && MergeSome(false, merged).ok()) {
    }
    lock.lock();
  }
}

// Merges that fall behind hold up checkpoints, and so in the end the writers.
Status Checkpointer::KeepRunsFew() {
  bool merged = true;
  Status status;
  while (status.ok() && merged && around_.views.Copy().runs.size() >= kMaxRuns) {
    status = MergeSome(false, merged);
  }
  return status;
}

Status Checkpointer::MergeAll() {
  bool merged = false;
  return MergeSome(true, merged);
}

Status Checkpointer::MergeSome(bool all, bool& merged) {
  const std::lock_guard lock(merging_);
  merged = false;
  const View view = around_.views.Copy();
  const std::span<const RunPtr> chosen = all ? view.runs : ChooseRuns(view.runs);
  if (chosen.empty()) return {};
  // Each row is merged once for every level, of which there are fewer than runs; and the more runs
  // there are too many, the faster.
  BackgroundTask task(counts_, BackgroundTask::Kind::kMerge, all ? nullptr : around_.limit,
                      view.runs.size());
  const bool oldest = &chosen.back() == &view.runs.back();
  const Retention retention{.snapshots = around_.snapshots.Collect(), .oldest_level = oldest};
  auto run = MakeRun(around_, task, [&](RunWriter& writer) {
    auto counts = MergeRuns(chosen, retention, &writer);
    return counts.ok() ? Status() : counts.TakeStatus();
  });
  if (!run.ok()) return run.TakeStatus();

  // Meanwhile newer runs may have come, in front of the chosen ones.
  const auto replace = [&chosen](auto& list, auto same, auto with) {
    const auto begin = std::find_if(list.begin(), list.end(),
                                    [&](const auto& one) { return same(one, chosen.front()); });
    *begin = with;
    list.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(chosen.size()));
  };
  Status status = around_.manifest.Change([&](Manifest& manifest) {
    replace(
        manifest.runs, [](uint64_t id, const RunPtr& one) { return id == one->id(); },
        (*run)->id());
  });
  if (!status.ok()) return status;
  around_.views.Replace([&](View& next) {
    replace(
        next.runs, [](const RunPtr& a, const RunPtr& b) { return a == b; }, *run);
  });
  // The files go at once: who still reads them has them open.
  for (const RunPtr& one : chosen) {
    status = around_.files.Remove(RunPath(around_.folder, one->id()));
    if (!status.ok()) return status;
  }
  ++counts_.merges;
  merged = true;
  return {};
}

}  // namespace burin
