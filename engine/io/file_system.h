// The one layer through which the engine touches files. Tests replace it by a simulated one.
//
// Paths are as the caller gave them. Every error names the path, the operation and the errno text;
// ENOSPC and EDQUOT become kNoSpace, everything else kIoError.
// Thread rule: a FileSystem and a File may be used from any thread at once; two calls on
// overlapping ranges of one file are the caller's to order.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/status.h"

namespace burin {

class File {
 public:
  virtual ~File() = default;

  // Writes all buffers, one behind the other, at `offset` (bytes); short writes are continued and
  // more than IOV_MAX buffers are split. `buffers` is changed while it works.
  virtual Status Write(std::span<iovec> buffers, uint64_t offset) = 0;

  // Reads up to `size` bytes; fewer only at the end of the file.
  virtual Result<size_t> Read(void* to, size_t size, uint64_t offset) = 0;

  // fdatasync: returns when everything written before the call is on the device.
  virtual Status Sync() = 0;

  // Of what has been synced: will not be read soon, so its memory may serve others. A hint.
  virtual void LeaveCache() {}

  // Write, then Sync; in one call where the system has such.
  virtual Status WriteAndSync(std::span<iovec> buffers, uint64_t offset) {
    Status status = Write(buffers, offset);
    return status.ok() ? Sync() : status;
  }

  virtual Result<uint64_t> Size() = 0;  // bytes

  // Makes the file `size` bytes of written zeros (not unwritten extents, whose later conversion
  // would cost each sync a journal commit). Not synced.
  virtual Status FillWithZeros(uint64_t size) = 0;

  virtual const std::string& path() const = 0;
};

// Holding it holds the lock; the lock ends with the object or the process.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

class FileSystem {
 public:
  enum class OpenMode { kReadOnly, kReadWrite, kCreate };  // kCreate: truncates what is there

  virtual ~FileSystem() = default;

  virtual Result<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode) = 0;
  virtual Result<bool> Exists(const std::string& path) = 0;
  virtual Result<std::vector<std::string>> List(const std::string& folder) = 0;  // names, sorted
  virtual Status CreateFolder(const std::string& path) = 0;
  virtual Status Rename(const std::string& from, const std::string& to) = 0;
  virtual Status Remove(const std::string& path) = 0;        // a file
  virtual Status RemoveFolder(const std::string& path) = 0;  // an empty folder
  virtual Status SyncFolder(const std::string& path) = 0;    // makes names durable

  // An exclusive open-file-description lock on `path`, which is made when absent. kInUse names the
  // process that holds it where the kernel can tell. `create` false: only tests an existing file.
  virtual Result<std::unique_ptr<FileLock>> Lock(const std::string& path, bool create) = 0;
};

// The operating system's files. Lives for the whole program; has no state of its own.
FileSystem& PosixFileSystem();

}  // namespace burin
