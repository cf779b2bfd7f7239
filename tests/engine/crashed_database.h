// A database opened on a disk that some crash, or some damage, left.
//
// Thread rule: one thread.
#pragma once

#include <memory>
#include <string>

#include "engine/engine.h"
#include "tests/engine/oracle.h"
#include "tests/engine/simulated_file_system.h"
#include "tests/engine/test_database.h"

namespace burin {

class CrashedDatabase {
 public:
  explicit CrashedDatabase(const SimulatedDisk& disk);  // that it opens is expected

  Engine& engine() const { return *engine_; }
  SimulatedDisk Disk() const { return files_->Disk(); }
  Rows Table(const std::string& name = "table") const;

 private:
  std::unique_ptr<SimulatedFileSystem> files_;
  std::unique_ptr<Engine> engine_;
};

// Why the disk's database is not opened; Ok when it is.
Status TryToOpen(const SimulatedDisk& disk);

// A database whose rows 0 to 4 are acknowledged, and behind them one group of `transactions`, a row
// each, that was written but not synced when the program was killed.
class GroupInDoubt {
 public:
  explicit GroupInDoubt(size_t transactions);

  const SimulatedDisk& disk() const { return disk_; }
  const Oracle& oracle() const { return oracle_; }
  const std::string& path() const { return path_; }  // of its segment
  uint64_t begin() const { return begin_; }          // offset of its first byte
  uint64_t end() const { return end_; }              // behind its last byte that is not zero

 private:
  SimulatedDisk disk_;
  Oracle oracle_;
  std::string path_;
  uint64_t begin_ = 0;
  uint64_t end_ = 0;
};

}  // namespace burin
