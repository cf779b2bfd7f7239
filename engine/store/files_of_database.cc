#include "engine/store/files_of_database.h"

#include <charconv>

#include "engine/log/segment_files.h"
#include "engine/runs/run_format.h"
#include "engine/store/manifest.h"

namespace burin {
namespace {

std::string LockPath(const std::string& folder) { return folder + "/" + std::string(kLockName); }

// The process that wrote its id into the lock file; 0: unknown.
int64_t HolderOf(FileSystem& files, const std::string& folder) {
  const auto content = ReadWholeFile(files, LockPath(folder));
  int64_t pid = 0;
  if (content.ok()) std::from_chars(content->data(), content->data() + content->size(), pid);
  return pid;
}

}  // namespace

bool IsOurFile(std::string_view name) {
  return name == kLockName || IsManifestName(name) || IsSegmentName(name) || IsRunName(name);
}

Result<DatabaseInfo> InspectDatabase(FileSystem& files, const std::string& folder) {
  auto exists = files.Exists(folder);
  if (!exists.ok()) return exists.TakeStatus();
  if (!*exists) return Status(StatusCode::kNotFound, folder + ": does not exist");
  auto manifest = ReadManifest(files, folder);
  if (!manifest.ok() && manifest.status().code() == StatusCode::kNotFound) {
    return Status(StatusCode::kInvalidArgument, folder + ": is not a database of Burin");
  }
  if (!manifest.ok()) return manifest.TakeStatus();
  DatabaseInfo info;
  info.creator = manifest->creator;
  const auto lock = files.Lock(LockPath(folder), false);
  info.in_use = !lock.ok() && lock.status().code() == StatusCode::kInUse;
  if (info.in_use) info.holder_pid = HolderOf(files, folder);
  return info;
}

Status RemoveDatabase(FileSystem& files, const std::string& folder) {
  const auto info = InspectDatabase(files, folder);
  // A damaged manifest is still one.
  if (!info.ok() && info.status().code() != StatusCode::kCorruption) return info.status();
  auto lock = files.Lock(LockPath(folder), true);
  if (!lock.ok()) return lock.TakeStatus();
  auto names = files.List(folder);
  if (!names.ok()) return names.TakeStatus();
  bool strangers = false;
  for (const std::string& name : *names) {
    if (!IsOurFile(name)) strangers = true;
    if (!IsSegmentName(name) && !IsRunName(name)) continue;
    Status status = files.Remove(folder + "/" + name);
    if (!status.ok()) return status;
  }
  for (const std::string& name : *names) {
    if (!IsManifestName(name)) continue;
    Status status = files.Remove(folder + "/" + name);
    if (!status.ok()) return status;
  }
  Status status = files.Remove(LockPath(folder));
  return status.ok() && !strangers ? files.RemoveFolder(folder) : status;
}

}  // namespace burin
