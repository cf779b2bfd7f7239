// A FileSystem on a SimulatedDisk, with faults.
//
// Every call gets a number, in the order of their beginning. Before it does anything the call is
// shown to the test's hook, which may let it fail, or take a copy of the disk as it stands then:
// that is how a test cuts the power, or kills the program, "before call 17".
// Thread rule: as FileSystem; the hook runs on the calling thread without any lock held, so it may
// be running on several threads at once. SetHook before there are other threads.
// Invariants: the disk is only touched under the lock; a lock on a file lives in the file system
// object, so that a new one (after a power cut) has none.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "engine/io/file_system.h"
#include "tests/engine/simulated_disk.h"

namespace burin {

struct FileCall {
  enum class Kind {
    kOpen,
    kCreate,
    kExists,
    kList,
    kCreateFolder,
    kRename,
    kRemove,
    kRemoveFolder,
    kSyncFolder,
    kLock,
    kWrite,
    kRead,
    kSync,
    kLeaveCache,  // a hint: does nothing, and cannot fail
    kSize,
    kFillWithZeros,
  };

  uint64_t index = 0;  // from 0
  Kind kind = Kind::kOpen;
  std::string path;
  uint64_t offset = 0;  // of a read or write, bytes
  uint64_t size = 0;    // of a read, write or fill, bytes

  bool Changes() const;  // whether it may write: what can run out of space
};

enum class Fault {
  kNone,
  kError,           // EIO; nothing is done
  kPartialError,    // a write or fill does its first half, then EIO; others: as kError
  kNoSpace,         // ENOSPC; nothing is done
  kPartialNoSpace,  // a write or fill does its first half, then ENOSPC; others: as kNoSpace
  kLostPages,       // a sync fails with EIO and marks its pages clean; others: as kError
};

class SimulatedFileSystem final : public FileSystem {
 public:
  using Hook = std::function<Fault(const FileCall&)>;

  explicit SimulatedFileSystem(SimulatedDisk disk = SimulatedDisk());
  ~SimulatedFileSystem() override;

  void SetHook(Hook hook) { hook_ = std::move(hook); }
  // From now on a call that would make the files take more than `bytes` gets ENOSPC, and does as
  // much as fits when it writes. Any thread.
  void SetCapacity(uint64_t bytes) { capacity_.store(bytes); }
  uint64_t calls() const { return calls_.load(); }  // so far
  SimulatedDisk Disk() const;                       // a copy, as it is now

  Result<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode) override;
  Result<bool> Exists(const std::string& path) override;
  Result<std::vector<std::string>> List(const std::string& folder) override;
  Status CreateFolder(const std::string& path) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Remove(const std::string& path) override;
  Status RemoveFolder(const std::string& path) override;
  Status SyncFolder(const std::string& path) override;
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path, bool create) override;

 private:
  class SimulatedFile;
  class SimulatedLock;

  // Numbers the call and shows it to the hook.
  Fault Announce(FileCall::Kind kind, const std::string& path, uint64_t offset = 0,
                 uint64_t size = 0);

  uint64_t Room() const;  // bytes; under the lock

  std::atomic<uint64_t> calls_{0};
  std::atomic<uint64_t> capacity_{UINT64_MAX};
  Hook hook_;
  mutable std::mutex mutex_;  // guards what follows
  SimulatedDisk disk_;
  std::set<std::string> locked_;
};

}  // namespace burin
