// Files read whole, and replaced whole or not at all.
// Thread rule: functions of their arguments; a FolderLock has one owner.
// Invariants: a crash or a full disk at any moment leaves the old contents or the new, never a mix;
// what a function returned from without error is on the disk.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "apps/results/failure.h"

namespace throughput {

inline constexpr size_t kMaxFileBytes = size_t{1} << 30;

// Refused: not there, no regular file, unreadable, above kMaxFileBytes.
Result<std::string> ReadFile(const std::string& path);

// True where `path` names something, a dangling symbolic link included.
bool Exists(const std::string& path);

// The lines without their newlines; a last one that lacks its newline counts.
std::vector<std::string_view> SplitLines(std::string_view text);

// Writes beside `path`, syncs and renames. A symbolic link is followed, permissions are kept.
// Failed: the disk's error, `path` as before.
Result<void> ReplaceFile(const std::string& path, std::string_view contents);

struct NamedFile {
  std::string name;  // no folder in it
  std::string contents;
};

// Refused: `folder` is there and not an empty folder, or what it is to lie in is not there.
Result<void> CheckNewFolder(const std::string& folder);

// Makes `folder` with just these files in it. Refused: as above, or it cannot be made. Failed: the
// disk's error; then no `folder` appears.
Result<void> WriteNewFolder(const std::string& folder, const std::vector<NamedFile>& files);

// Keeps other runs of this program from replacing files in the folder at the same time; ends with
// the object or the process. Leaves no file behind.
class FolderLock {
 public:
  // Of the folder that `path`, with links followed, lies in. Refused: no such folder, or another
  // process still has the lock when `patience` ends.
  static Result<FolderLock> Around(const std::string& path, std::chrono::milliseconds patience);

  FolderLock(FolderLock&& other) noexcept : descriptor_(other.descriptor_) {
    other.descriptor_ = -1;
  }
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace throughput
