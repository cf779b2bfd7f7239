// The opened database: ties the log, the tables and the catalog together.
//
// Thread rule: any thread, but Open and Close.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "engine/engine.h"
#include "engine/io/file_system.h"
#include "engine/log/group_commit.h"
#include "engine/log/log_writer.h"
#include "engine/store/catalog.h"
#include "engine/store/files_of_database.h"
#include "engine/store/manifest.h"
#include "engine/store/record_builder.h"
#include "engine/store/writer_lock.h"
#include "engine/table/view.h"

namespace burin {

class Store {
 public:
  static Result<std::unique_ptr<Store>> Open(const std::string& folder,
                                             const EngineOptions& options);
  ~Store();
  Status Close();

  Result<TableId> CreateTable(std::string_view name);
  EngineStatistics Statistics() const;

  const EngineOptions& options() const { return options_; }
  const RecoveryReport& recovery() const { return recovery_; }
  const Catalog& catalog() const { return catalog_; }
  GroupCommit& group() { return *group_; }
  WriterLock& writer_lock() { return writer_lock_; }
  uint64_t MaxRecordBytes() const { return log_->MaxGroupBytes(); }
  uint32_t NextSessionNumber() { return next_session_.fetch_add(1); }
  void CountConflict() { conflicts_.fetch_add(1, std::memory_order_relaxed); }

  // The view, and a number that changes with it.
  uint64_t view_version() const { return view_version_.load(std::memory_order_acquire); }
  std::shared_ptr<const View> CurrentView(uint64_t& version) const;

  // Replaces the active generation, unless somebody has already, by one with room for `rows`.
  void Freeze(const Generation& full, uint32_t rows);

 private:
  Store(std::string folder, const EngineOptions& options);

  Status OpenFiles();
  Status CreateFiles();
  Status Replay(LogTail& tail, bool& resume);
  Status ReplayRecord(const RecordHeader& header, const char* body);
  Status KeepTail(LogTail& tail, std::vector<char> content);
  Status RemoveUnusedFiles(uint64_t last_used_sequence);
  void BuildIndexes();

  const std::string folder_;
  const EngineOptions options_;
  FileSystem& files_;
  std::unique_ptr<FileLock> lock_;
  Manifest manifest_;
  RecoveryReport recovery_;
  Catalog catalog_;
  std::mutex creating_table_;
  std::unique_ptr<LogWriter> log_;
  std::unique_ptr<GroupCommit> group_;
  WriterLock writer_lock_;
  bool open_ = false;

  mutable std::mutex view_mutex_;
  std::shared_ptr<const View> view_;
  std::atomic<uint64_t> view_version_{1};  // 0 is what a session has that has none yet

  // Frozen generations are sorted in the background (burin-index).
  std::condition_variable frozen_;
  std::vector<std::shared_ptr<Generation>> to_index_;  // under view_mutex_
  bool stop_ = false;                                  // under view_mutex_
  std::thread indexer_;

  ChunkReserve replay_reserve_;
  std::atomic<uint32_t> next_session_{0};
  std::atomic<uint64_t> conflicts_{0};
  std::atomic<uint64_t> freezes_{0};
};

}  // namespace burin
