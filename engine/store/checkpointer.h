// Moves data from memory to disk behind the writers' backs: frozen generations become runs
// (burin-checkpoint), many runs become few (burin-merge), and the log below is used again.
//
// Order of a checkpoint: the run is written and synced, then the manifest names it, then readers
// are given it instead of the generation, and only then are log segments let go. Until the manifest
// names it a run is nothing; what fails is tried again with a new file.
// Thread rule: Start and Stop by the owner, the rest from any thread.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "engine/engine.h"
#include "engine/log/group_commit.h"
#include "engine/runs/block_cache.h"
#include "engine/store/background_work.h"
#include "engine/store/catalog.h"
#include "engine/store/manifest_keeper.h"
#include "engine/store/snapshots.h"
#include "engine/store/view_keeper.h"

namespace burin {

// What checkpoints and merges work on; all outlive them.
struct CheckpointSurroundings {
  FileSystem& files;
  const std::string& folder;
  DatabaseId database;
  ManifestKeeper& manifest;
  Catalog& catalog;
  std::mutex& creating_table;    // held: no table is between the log and the catalog
  LogWriter* log = nullptr;      // null while the log is replayed: nothing is let go then
  GroupCommit* group = nullptr;  // null then: everything is durable
  ViewKeeper& views;
  Snapshots& snapshots;
  BlockCache& cache;
  BackgroundLimit* limit = nullptr;  // null: there is none
};

// Writes the oldest frozen generation of the current view to a run; Ok also when there is none.
Status CheckpointOldest(const CheckpointSurroundings& around, BackgroundCounts& counts);

class Checkpointer {
 public:
  explicit Checkpointer(CheckpointSurroundings around) : around_(around) {}
  ~Checkpointer() { Stop(); }

  void Start();
  void Stop();  // finishes what is being written

  void Wake();  // a generation was frozen

  // Returns when fewer than `frozen` generations wait, or with what keeps them from becoming runs.
  Status AwaitFewer(size_t frozen);

  // Merges all runs into one, dropping what nobody can see.
  Status MergeAll();

  const BackgroundCounts& counts() const { return counts_; }

 private:
  void RunCheckpoints();
  void RunMerges();
  Status KeepRunsFew();
  Status MergeSome(bool all, bool& merged);

  CheckpointSurroundings around_;
  BackgroundCounts counts_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  uint64_t attempts_ = 0;  // of checkpoints, finished
  bool wanted_ = false;    // a generation was frozen, or somebody waits: try now
  bool merge_wanted_ = false;
  Status last_failure_;  // of the last attempt
  std::mutex merging_;   // one merge at a time
  std::thread checkpoints_;
  std::thread merges_;
};

}  // namespace burin
