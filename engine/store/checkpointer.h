// Moves data from memory to disk behind the writers' backs: frozen generations become runs
// (burin-checkpoint), many runs become few (burin-merge), and the log below is used again.
//
// Order of a checkpoint: the run is written and synced, then the manifest names it, then readers
// are given it instead of the generation, and only then are log segments let go. Until the manifest
// names it a run is nothing; what fails is tried again with a new file.
// Thread rule: Start and Stop by the owner, the rest from any thread.
#pragma once

#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/engine.h"
#include "engine/store/merger.h"

namespace burin {

// Writes the oldest frozen generation of the current view to a run; Ok also when there is none.
Status CheckpointOldest(const BackgroundSurroundings& around, BackgroundCounts& counts);

class Checkpointer {
 public:
  explicit Checkpointer(const BackgroundSurroundings& around)
      : around_(around), merger_(around, counts_) {}
  ~Checkpointer() { Stop(); }

  void Start();
  void Stop();  // finishes what is being written

  void Wake();  // a generation was frozen

  // Returns when fewer than `frozen` generations wait, or with what keeps them from becoming runs.
  Status AwaitFewer(size_t frozen);

  Merger& merger() { return merger_; }

  const BackgroundCounts& counts() const { return counts_; }

 private:
  void RunCheckpoints();
  void RunMerges();

  // One for each size of runs that there may be (sixteen times the one before, up to some 800 GB):
  // new, small runs never wait for a merge of old, large ones.
  static constexpr size_t kMergeThreads = 4;

  const BackgroundSurroundings around_;
  BackgroundCounts counts_;
  Merger merger_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  uint64_t attempts_ = 0;  // of checkpoints, finished
  bool wanted_ = false;    // a generation was frozen, or somebody waits: try now
  bool merge_wanted_ = false;
  Status last_failure_;  // of the last attempt
  std::thread checkpoints_;
  std::array<std::thread, kMergeThreads> merges_;
};

}  // namespace burin
