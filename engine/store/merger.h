// Merges: many runs become few. Runs grow by merging those of like size, so that each row is merged
// once per size and the number of runs stays O(log n).
//
// Several merges go on at once, each of runs that no other has: while one takes its time over old,
// large runs, the new, small ones must not pile up behind a load.
// Thread rule: any thread. Invariant: a merge takes only runs newer than all that are being merged.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "engine/store/run_maker.h"

namespace burin {

class Merger {
 public:
  Merger(const BackgroundSurroundings& around, BackgroundCounts& counts)
      : around_(around), counts_(counts) {}

  // Merges those that are next; `merged` false: there are few enough of each size, or they are
  // being merged.
  Status MergeSome(bool& merged);

  // Merges all runs into one, dropping what nobody can see.
  Status MergeAll();

  // Returns once there are fewer runs than `runs`, merging or waiting for merges; or when no merge
  // would help.
  Status AwaitFewer(size_t runs);

 private:
  std::span<const RunPtr> Free(const View& view) const;
  Status MergeTaken(const View& view, std::span<const RunPtr> chosen, const BackgroundLimit* limit,
                    std::unique_lock<std::mutex>& lock);
  Status Merge(const View& view, std::span<const RunPtr> chosen, const BackgroundLimit* limit);
  bool AwaitAnEnd();

  const BackgroundSurroundings around_;
  BackgroundCounts& counts_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::vector<uint64_t> taken_;  // ids of the runs that are being merged
  uint64_t ends_ = 0;            // of merges
};

}  // namespace burin
