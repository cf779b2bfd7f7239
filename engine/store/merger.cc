#include "engine/store/merger.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/runs/merge.h"

namespace burin {
namespace {

// A level is a power of sixteen.
int LevelOf(const Run& run) { return static_cast<int>(std::bit_width(run.file_bytes()) + 3) / 4; }

// The part of `runs`, newest first, to merge next; empty: there are few enough. Merging only runs
// that are next to each other in age keeps their order.
std::span<const RunPtr> ChooseRuns(std::span<const RunPtr> runs) {
  constexpr size_t kFanIn = 16;
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

Status Merger::MergeSome(bool& merged) {
  merged = false;
  std::unique_lock lock(mutex_);
  const View view = around_.views.Copy();
  const std::span<const RunPtr> chosen = ChooseRuns(Free(view));
  if (chosen.empty()) return {};
  Status status = MergeTaken(view, chosen, around_.limit, lock);
  merged = status.ok();
  return status;
}

Status Merger::MergeAll() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return taken_.empty(); });
  const View view = around_.views.Copy();
  return view.runs.empty() ? Status() : MergeTaken(view, view.runs, nullptr, lock);
}

Status Merger::AwaitFewer(size_t runs) {
  while (around_.views.Copy().runs.size() >= runs) {
    bool merged = false;
    Status status = MergeSome(merged);
    if (!status.ok()) return status;
    if (!merged && !AwaitAnEnd()) return {};
  }
  return {};
}

// The newest runs of a view up to the first that is being merged.
std::span<const RunPtr> Merger::Free(const View& view) const {
  const auto first_taken =
      std::find_if(view.runs.begin(), view.runs.end(), [this](const auto& run) {
        return std::find(taken_.begin(), taken_.end(), run->id()) != taken_.end();
      });
  return {view.runs.begin(), first_taken};
}

// `lock`: of mutex_, which is not held during the work.
Status Merger::MergeTaken(const View& view, std::span<const RunPtr> chosen,
                          const BackgroundLimit* limit, std::unique_lock<std::mutex>& lock) {
  for (const RunPtr& one : chosen) taken_.push_back(one->id());
  lock.unlock();
  Status status = Merge(view, chosen, limit);
  lock.lock();
  std::erase_if(taken_, [chosen](uint64_t id) {
    return std::any_of(chosen.begin(), chosen.end(),
                       [id](const RunPtr& one) { return one->id() == id; });
  });
  ++ends_;
  ended_.notify_all();
  return status;
}

// False: none is under way.
bool Merger::AwaitAnEnd() {
  std::unique_lock lock(mutex_);
  if (taken_.empty()) return false;
  ended_.wait(lock, [this, before = ends_] { return ends_ != before; });
  return true;
}

Status Merger::Merge(const View& view, std::span<const RunPtr> chosen,
                     const BackgroundLimit* limit) {
  // Each row is merged once for every level, of which there are fewer than runs; and the more runs
  // there are too many, the faster.
  BackgroundTask task(counts_, BackgroundTask::Kind::kMerge, limit, view.runs.size());
  const bool oldest = chosen.back() == view.runs.back();
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
  return {};
}

}  // namespace burin
