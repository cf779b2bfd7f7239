#include "apps/write-throughput/targets/marked_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "apps/write-throughput/messages.h"

namespace throughput {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMarkName = "write-throughput.mark";
constexpr std::string_view kMarkText = "This folder was made by write-throughput.\n";

std::string MarkOf(const std::string& path) { return fmt::format("{}/{}", path, kMarkName); }

tl::unexpected<Failure> Fail(const std::string& path, int error) {
  return tl::unexpected(Failure{fmt::format("{}: {}", path, ErrnoText(error))});
}

struct flock WholeFile(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

bool HasMarkText(int descriptor) {
  char text[kMarkText.size() + 1];
  const ssize_t size = pread(descriptor, text, sizeof text, 0);
  return size >= 0 && std::string_view(text, static_cast<size_t>(size)) == kMarkText;
}

// Of an open mark. The lock is asked for as if to write, which a reading descriptor may do.
PathReport ReportOf(int mark) {
  if (!HasMarkText(mark)) return {PathState::kForeign, "a folder with a mark that is not ours"};
  struct flock lock = WholeFile(F_WRLCK);
  if (fcntl(mark, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK) {
    return {PathState::kInUse, fmt::format("by process {}", lock.l_pid)};
  }
  return {PathState::kOurs, {}};
}

}  // namespace

Expected<PathReport> MarkedFolder::Inspect(const std::string& path) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return PathReport{};
    return Fail(path, errno);
  }
  if (!S_ISDIR(status.st_mode)) return PathReport{PathState::kForeign, "no folder"};
  const int mark = open(MarkOf(path).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (mark < 0) {
    if (errno == ENOENT || errno == ELOOP) {
      return PathReport{PathState::kForeign, "a folder without our mark"};
    }
    return Fail(MarkOf(path), errno);
  }
  const PathReport report = ReportOf(mark);
  close(mark);
  return report;
}

Expected<> MarkedFolder::Remove(const std::string& path) {
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename() == kMarkName) continue;
    fs::remove_all(entry->path(), error);
    if (error) break;
  }
  if (!error) fs::remove(MarkOf(path), error);
  if (!error) fs::remove(path, error);
  if (error) return Fail(path, error.value());
  return {};
}

Expected<> MarkedFolder::Create(const std::string& path) {
  path_ = path;
  if (mkdir(path.c_str(), 0777) != 0) return Fail(path, errno);
  if (auto locked = Lock(O_CREAT | O_EXCL); !locked) return locked;
  const auto written = pwrite(descriptor_, kMarkText.data(), kMarkText.size(), 0);
  if (written != std::ssize(kMarkText)) {
    return Fail(MarkOf(path), written < 0 ? errno : ENOSPC);
  }
  return {};
}

Expected<> MarkedFolder::Reopen(const std::string& path) {
  path_ = path;
  return Lock(0);
}

Expected<> MarkedFolder::Lock(int flags) {
  descriptor_ = open(MarkOf(path_).c_str(), O_RDWR | O_CLOEXEC | flags, 0666);
  if (descriptor_ < 0) return Fail(MarkOf(path_), errno);
  struct flock lock = WholeFile(F_WRLCK);
  if (fcntl(descriptor_, F_SETLK, &lock) != 0) return Fail(MarkOf(path_), errno);
  return {};
}

void MarkedFolder::Release() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

}  // namespace throughput
