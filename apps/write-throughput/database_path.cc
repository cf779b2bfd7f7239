#include "apps/write-throughput/database_path.h"

#include <errno.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <filesystem>

#include "apps/write-throughput/messages.h"
#include "apps/write-throughput/report/text.h"

namespace throughput {
namespace {

tl::unexpected<Failure> Fail(std::string text) { return tl::unexpected(Failure{std::move(text)}); }

// "a/b/" and "a/b" are one path.
std::string FolderOf(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

Expected<> CheckFolder(const std::string& path) {
  const std::string folder = FolderOf(path);
  struct stat status;
  if (stat(folder.c_str(), &status) != 0) {
    return Fail(fmt::format("its folder '{}': {}", PrintableLine(folder), ErrnoText(errno)));
  }
  if (!S_ISDIR(status.st_mode)) {
    return Fail(fmt::format("'{}' is no folder", PrintableLine(folder)));
  }
  // The superuser may write to every folder, even where the kernel alone makes files.
  struct statfs file_system;
  if (statfs(folder.c_str(), &file_system) == 0 &&
      (file_system.f_type == PROC_SUPER_MAGIC || file_system.f_type == SYSFS_MAGIC)) {
    return Fail(fmt::format("its folder '{}' takes no files", PrintableLine(folder)));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    return Fail(fmt::format("its folder '{}' cannot be written: {}", PrintableLine(folder),
                            ErrnoText(errno)));
  }
  return {};
}

// What stands at the path, and whose it is: where the engine does not know it, another may.
struct Standing {
  PathReport report;
  const TargetInfo* owner = nullptr;
};

bool IsMarked(const Expected<PathReport>& report) {
  return report && (report->state == PathState::kOurs || report->state == PathState::kInUse);
}

Expected<Standing> InspectAsAnyEngine(const TargetInfo& engine, const std::string& path) {
  auto own = engine.make()->InspectPath(path);
  if (IsMarked(own)) return Standing{*own, &engine};
  for (const TargetInfo& other : Targets()) {
    if (!other.has_files || other.name == engine.name) continue;
    const auto report = other.make()->InspectPath(path);
    if (IsMarked(report)) return Standing{*report, &other};
  }
  if (!own) return tl::unexpected(own.error());
  return Standing{*own, &engine};
}

Expected<Standing> Inspect(const TargetInfo& engine, const std::string& path) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return Standing{};
    return Fail(ErrnoText(errno));
  }
  if (S_ISLNK(status.st_mode)) {
    return Standing{{PathState::kForeign, "a symbolic link"}, &engine};
  }
  auto standing = InspectAsAnyEngine(engine, path);
  // It is there, whatever the engine makes of it.
  if (standing && standing->report.state == PathState::kAbsent) {
    standing->report = {PathState::kForeign, "nothing that the engine knows"};
  }
  return standing;
}

}  // namespace

Expected<> CheckDatabasePath(const TargetInfo& engine, const std::string& path) {
  if (!engine.has_files) return {};
  const auto standing = Inspect(engine, path);
  if (!standing) return tl::unexpected(standing.error());
  const PathReport& report = standing->report;
  switch (report.state) {
    case PathState::kInUse:
      return Fail(fmt::format("in use {}", report.detail));
    case PathState::kForeign:
      return Fail(fmt::format("exists and was not made by write-throughput ({}); it is left alone",
                              PrintableLine(report.detail)));
    case PathState::kOurs:
      if (access(path.c_str(), R_OK | W_OK | X_OK) == 0) break;
      return Fail("was made by write-throughput, but cannot be replaced: " + ErrnoText(errno));
    case PathState::kAbsent:
      break;
  }
  return CheckFolder(path);
}

Expected<> ClearDatabasePath(const TargetInfo& engine, const std::string& path) {
  if (auto fine = CheckDatabasePath(engine, path); !fine) return fine;
  return RemoveDatabase(engine, path);
}

Expected<> RemoveDatabase(const TargetInfo& engine, const std::string& path) {
  if (!engine.has_files) return {};
  const auto standing = Inspect(engine, path);
  if (!standing) return tl::unexpected(standing.error());
  if (standing->report.state != PathState::kOurs) return {};
  return standing->owner->make()->Remove(path);
}

}  // namespace throughput
