// Owns the system calls on files.
#include "apps/results/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <thread>

#include "apps/results/text.h"

namespace throughput {
namespace {

namespace fs = std::filesystem;

std::string ErrorText(int error) { return std::generic_category().message(error); }

std::string Message(const std::string& path, int error) {
  return fmt::format("{}: {}", Printable(path), ErrorText(error));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_;
};

// What is behind symbolic links, so that a rename replaces the file and not the link to it.
std::string Resolved(const std::string& path) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(path, error);
  return error ? path : resolved.string();
}

std::string ResolvedFolder(const std::string& folder) {
  std::string resolved = Resolved(folder);
  while (resolved.size() > 1 && resolved.back() == '/') resolved.pop_back();
  return resolved;
}

std::string FolderOf(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// 0 or an errno
int WriteAll(int fd, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t written = ::write(fd, contents.data(), contents.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    contents.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

int SyncFolder(const std::string& folder) {
  const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid() || ::fsync(fd.get()) != 0) return errno;
  return 0;
}

int WriteAndSync(int fd, std::string_view contents) {
  if (const int error = WriteAll(fd, contents)) return error;
  return ::fsync(fd) == 0 ? 0 : errno;
}

// A new file gets the permissions that the umask leaves; one that is replaced hands its own on.
int TakePermissions(int fd, const std::string& from) {
  struct stat status {};
  if (::stat(from.c_str(), &status) != 0) return errno == ENOENT ? 0 : errno;
  return ::fchmod(fd, status.st_mode & 07777) == 0 ? 0 : errno;
}

// Calls make(name) with names beside `path` until one is free, as a killed process may have left
// some behind; the name that was made, or an errno.
template <typename Make>
tl::expected<std::string, int> MakeBeside(const std::string& path, Make make) {
  constexpr int kAttempts = 100;
  for (int i = 1; i <= kAttempts; ++i) {
    std::string name = fmt::format("{}.partial-{}", path, i);
    if (make(name)) return name;
    if (errno != EEXIST) break;
  }
  return tl::unexpected(errno);
}

int WriteNewFile(const std::string& path, std::string_view contents) {
  const Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  return fd.valid() ? WriteAndSync(fd.get(), contents) : errno;
}

int FillFolder(const std::string& folder, const std::vector<NamedFile>& files) {
  for (const NamedFile& file : files) {
    if (const int error = WriteNewFile(folder + "/" + file.name, file.contents)) return error;
  }
  return SyncFolder(folder);
}

}  // namespace

bool Exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

Result<std::string> ReadFile(const std::string& path) {
  // Not blocking: opening a pipe that nobody writes to would never return.
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!fd.valid()) return Refused(Message(path, errno));
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return Refused(Message(path, errno));
  if (S_ISDIR(status.st_mode)) return Refused(Message(path, EISDIR));
  if (!S_ISREG(status.st_mode)) return Refused(Printable(path) + ": not a regular file");
  std::string contents;
  char block[65536];
  while (true) {
    const ssize_t size = ::read(fd.get(), block, sizeof block);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return Refused(Message(path, errno));
    if (size == 0) return contents;
    contents.append(block, static_cast<size_t>(size));
    if (contents.size() > kMaxFileBytes) {
      return Refused(fmt::format("{}: larger than {} bytes", Printable(path), kMaxFileBytes));
    }
  }
}

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

Result<void> ReplaceFile(const std::string& path, std::string_view contents) {
  const std::string target = Resolved(path);
  int raw_fd = -1;
  const auto partial = MakeBeside(target, [&](const std::string& name) {
    raw_fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return raw_fd >= 0;
  });
  if (!partial) return Failed(Message(path, partial.error()));
  const Descriptor fd(raw_fd);
  int error = TakePermissions(fd.get(), target);
  if (error == 0) error = WriteAndSync(fd.get(), contents);
  if (error == 0 && ::rename(partial->c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(partial->c_str());
    return Failed(Message(path, error));
  }
  if ((error = SyncFolder(FolderOf(target))) != 0) return Failed(Message(path, error));
  return {};
}

Result<void> CheckNewFolder(const std::string& folder) {
  const std::string target = ResolvedFolder(folder);
  std::error_code ignored;
  if (Exists(target) && !(fs::is_directory(target, ignored) && fs::is_empty(target, ignored))) {
    return Refused(fmt::format("{}: has to be a new or an empty folder", Printable(folder)));
  }
  if (!fs::is_directory(FolderOf(target), ignored)) return Refused(Message(folder, ENOENT));
  return {};
}

Result<void> WriteNewFolder(const std::string& folder, const std::vector<NamedFile>& files) {
  if (auto fits = CheckNewFolder(folder); !fits) return fits;
  const std::string target = ResolvedFolder(folder);
  std::error_code ignored;
  const auto partial =
      MakeBeside(target, [](const std::string& name) { return ::mkdir(name.c_str(), 0777) == 0; });
  if (!partial) return Refused(Message(folder, partial.error()));
  int error = FillFolder(*partial, files);
  if (error == 0 && ::rename(partial->c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) error = SyncFolder(FolderOf(target));
  if (error == 0) return {};
  fs::remove_all(*partial, ignored);
  return Failed(Message(folder, error));
}

Result<FolderLock> FolderLock::Around(const std::string& path, std::chrono::milliseconds patience) {
  const std::string folder = FolderOf(Resolved(path));
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return Refused(Message(path, errno));
  FolderLock lock(fd);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return Refused(Message(path, errno));
    if (std::chrono::steady_clock::now() >= deadline) {
      return Refused(
          fmt::format("{}: another process is writing in {}", Printable(path), Printable(folder)));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return lock;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace throughput
