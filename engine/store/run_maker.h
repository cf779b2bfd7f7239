// What checkpoints and merges work on, and how both make a run.
//
// Thread rule: any thread.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "engine/log/group_commit.h"
#include "engine/runs/block_cache.h"
#include "engine/runs/run.h"
#include "engine/runs/run_writer.h"
#include "engine/store/background_work.h"
#include "engine/store/catalog.h"
#include "engine/store/manifest_keeper.h"
#include "engine/store/snapshots.h"
#include "engine/store/view_keeper.h"

namespace burin {

using RunPtr = std::shared_ptr<const Run>;

// All outlive the work.
struct BackgroundSurroundings {
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

// Makes a run of what `fill` puts into its writer. Until the manifest names it, it is nothing.
template <typename Fill>
Result<RunPtr> MakeRun(const BackgroundSurroundings& around, BackgroundTask& task, Fill fill) {
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

}  // namespace burin
