// The opened database: ties the log, the tables and the catalog together.
//
// Thread rule: any thread, but Open and Close.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "engine/engine.h"
#include "engine/io/file_system.h"
#include "engine/log/group_commit.h"
#include "engine/log/log_writer.h"
#include "engine/runs/block_cache.h"
#include "engine/store/catalog.h"
#include "engine/store/checkpointer.h"
#include "engine/store/files_of_database.h"
#include "engine/store/manifest_keeper.h"
#include "engine/store/record_builder.h"
#include "engine/store/snapshots.h"
#include "engine/store/view_keeper.h"

namespace burin {

class Store {
 public:
  static Result<std::unique_ptr<Store>> Open(const std::string& folder,
                                             const EngineOptions& options);
  ~Store();
  Status Close();

  Result<TableId> CreateTable(std::string_view name);
  EngineStatistics Statistics() const;
  void RestartLongest();

  const EngineOptions& options() const { return options_; }
  const RecoveryReport& recovery() const { return recovery_; }
  const Catalog& catalog() const { return catalog_; }
  GroupCommit& group() { return *group_; }
  Baton& writer_lock() { return writer_lock_; }
  uint64_t MaxRecordBytes() const { return log_->MaxGroupBytes(); }
  uint32_t NextSessionNumber() { return next_session_.fetch_add(1); }
  void CountConflict() { conflicts_.fetch_add(1, std::memory_order_relaxed); }

  ViewKeeper& views() { return views_; }
  Snapshots& snapshots() { return snapshots_; }
  ChunkPool& chunks() { return chunks_; }

  // Ok: a transaction may claim. Else why the store cannot take its rows; nothing was done. Waits
  // where a checkpoint has to finish first.
  Status AwaitTurn() {
    if (!read_only_.ok()) return read_only_;
    if (options_.checkpoint == CheckpointMode::kPassive || views_.frozen() == 0) return {};
    return AwaitCheckpoint(1);
  }

  // Replaces the active generation, unless somebody has already, by one with room for `rows`. Waits
  // for a checkpoint when too many are frozen, but never when the caller holds claims: they would
  // keep the checkpoint waiting.
  Status Freeze(const Generation& full, uint32_t rows, bool holds_claims);

  Status MergeAll();

 private:
  // `own_files` may be null: then they are the options' or POSIX's.
  Store(std::string folder, const EngineOptions& options, std::unique_ptr<FileSystem> own_files);

  Status OpenFiles();
  Status CheckFolder(bool& has_manifest);
  Status CreateFiles();
  Status Recover();
  Status OpenRuns(const Manifest& manifest);
  Status ReplayRecord(const RecordHeader& header, const char* body);
  Status MakeReplayRoom(Lsn covers_lsn, uint32_t rows);
  Status CheckpointReplayed();
  Status CheckpointAllReplayed();
  Status GoOnAfterClose(LogScan scan);
  Status GoOnAfterCrash(const LogScan& scan);
  Status RemoveFiles(const Manifest& manifest, uint64_t last_sequence);
  void OpenReadOnly(Status why, Lsn end);

  std::shared_ptr<Generation> MakeGeneration(uint32_t rows);
  void PublishNextGeneration(uint32_t rows, Lsn covers_lsn);
  BackgroundSurroundings Surroundings();
  Status AwaitCheckpoint(size_t fewer_than);

  const std::string folder_;
  const EngineOptions options_;
  const std::unique_ptr<FileSystem> own_files_;
  FileSystem& files_;
  std::unique_ptr<FileLock> lock_;
  ManifestKeeper manifest_;
  DatabaseId database_;
  RecoveryReport recovery_;
  Catalog catalog_;
  std::mutex creating_table_;
  Status read_only_;  // not Ok: why no transaction with rows can commit, or that it is closed
  bool open_ = false;

  ChunkPool chunks_;        // outlives the generations in the views
  SlotMemory slot_memory_;  // likewise
  BlockCache cache_;        // outlives the runs in the views
  Snapshots snapshots_;
  ViewKeeper views_;
  ChunkReserve replay_reserve_;
  std::unique_ptr<LogWriter> log_;
  std::unique_ptr<GroupCommit> group_;
  std::unique_ptr<BackgroundLimit> limit_;
  std::unique_ptr<Checkpointer> checkpointer_;
  BackgroundCounts replay_counts_;
  Baton writer_lock_;  // held by the transaction that may write in the modes with one writer
  std::mutex freezing_;

  std::atomic<uint32_t> next_session_{0};
  std::atomic<uint64_t> conflicts_{0};
  std::atomic<uint64_t> freezes_{0};
  std::atomic<uint64_t> stalls_{0};
  std::atomic<uint32_t> stalled_{0};  // writers, now
  std::atomic<uint64_t> stall_ns_{0};
  std::atomic<uint64_t> longest_stall_ns_{0};
};

}  // namespace burin
