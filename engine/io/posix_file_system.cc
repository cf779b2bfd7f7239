// The operating system's files behind engine/io/file_system.h.
//
// Thread rule: as file_system.h says.
//
// The lock. An open-file-description lock lives as long as any descriptor of that description, and
// a forked child has such descriptors. So that a lock never outlives its taker:
//   * a child that executes another program loses it by close-on-exec;
//   * a child that goes on running this program closes it at once (pthread_atfork), and can take
//     the lock only after the parent has given it up. Its copy of the FileLock holds nothing.
// Not covered are children made by a bare clone system call: they hold on to the lock until they
// end. The list of descriptors that the fork handler closes is the one piece of process-wide state
// here: it mirrors state of the process (which descriptors a fork hands on), and there is no other
// way to reach a forked child.
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <mutex>
#include <set>

#include "engine/io/posix_file.h"

namespace burin {
namespace {

// The descriptors that hold locks, for the fork handler. A fork waits until no descriptor is
// between being opened and being listed.
class LockDescriptors {
 public:
  static LockDescriptors& OfThisProcess() {
    static LockDescriptors* const descriptors = new LockDescriptors;  // outlives every FileLock
    return *descriptors;
  }

  std::mutex& mutex() { return mutex_; }
  void Add(int descriptor) { descriptors_.insert(descriptor); }  // with mutex() held

  // Closes it, unless this process is a child that has done so already.
  void Close(int descriptor) {
    const std::lock_guard guard(mutex_);
    if (descriptors_.erase(descriptor) > 0) close(descriptor);
  }

 private:
  LockDescriptors() {
    pthread_atfork([] { OfThisProcess().mutex_.lock(); }, [] { OfThisProcess().mutex_.unlock(); },
                   [] { OfThisProcess().CloseAllInChild(); });
  }

  void CloseAllInChild() {
    for (const int descriptor : descriptors_) close(descriptor);
    descriptors_.clear();
    mutex_.unlock();
  }

  std::mutex mutex_;
  std::set<int> descriptors_;
};

class PosixFileLock final : public FileLock {
 public:
  explicit PosixFileLock(int descriptor) : descriptor_(descriptor) {}
  ~PosixFileLock() override { LockDescriptors::OfThisProcess().Close(descriptor_); }
  PosixFileLock(const PosixFileLock&) = delete;
  PosixFileLock& operator=(const PosixFileLock&) = delete;

 private:
  const int descriptor_;
};

// What a test of a lock that nobody holds answers.
class NoLock final : public FileLock {};

flock WholeFile() {
  flock range{};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  return range;
}

// The kernel does not tell who holds an open-file-description lock (l_pid is -1), so the taker
// writes its process id into the file: decimal, one line. Informative only; a failure costs a name
// in a message.
void WriteHolder(int descriptor) {
  const std::string line = std::to_string(getpid()) + "\n";
  if (ftruncate(descriptor, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = pwrite(descriptor, line.data(), line.size(), 0);
}

std::string Holder(int descriptor) {
  char text[24];
  const ssize_t size = pread(descriptor, text, sizeof text, 0);
  pid_t pid = 0;
  if (size <= 0 || std::from_chars(text, text + size, pid).ec != std::errc() || pid <= 0) {
    return "a process that did not leave its id";
  }
  if (pid == getpid()) return "this process (" + std::to_string(pid) + ")";
  const bool ended = kill(pid, 0) != 0 && errno == ESRCH;
  return "process " + std::to_string(pid) +
         (ended ? " (which has ended, but left it to a child)" : "");
}

// By another open file description, of this process or any other.
Result<bool> IsLocked(int descriptor, const std::string& path) {
  flock range = WholeFile();
  if (fcntl(descriptor, F_OFD_GETLK, &range) != 0) return Failure(path, "test the lock", errno);
  return range.l_type != F_UNLCK;
}

Status InUse(int descriptor, const std::string& path) {
  return Status(StatusCode::kInUse, path + ": in use by " + Holder(descriptor));
}

class Posix final : public FileSystem {
 public:
  Result<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode) override {
    const auto descriptor = OpenDescriptor(path, mode);
    if (!descriptor.ok()) return descriptor.status();
    return std::unique_ptr<File>(std::make_unique<PosixFile>(*descriptor, path));
  }

  Result<bool> Exists(const std::string& path) override {
    struct stat information {};
    if (stat(path.c_str(), &information) == 0) return true;
    if (errno == ENOENT || errno == ENOTDIR) return false;
    return Failure(path, "stat", errno);
  }

  Result<std::vector<std::string>> List(const std::string& folder) override {
    DIR* const stream = opendir(folder.c_str());
    if (stream == nullptr) return Failure(folder, "open the folder", errno);
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* entry = readdir(stream)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
      errno = 0;
    }
    const int error = errno;
    closedir(stream);
    if (error != 0) return Failure(folder, "read the folder", error);
    std::sort(names.begin(), names.end());
    return names;
  }

  Status CreateFolder(const std::string& path) override {
    if (mkdir(path.c_str(), 0755) != 0) return Failure(path, "create the folder", errno);
    return {};
  }

  Status Rename(const std::string& from, const std::string& to) override {
    if (rename(from.c_str(), to.c_str()) != 0) return Failure(from, "rename to " + to, errno);
    return {};
  }

  Status Remove(const std::string& path) override {
    if (unlink(path.c_str()) != 0) return Failure(path, "remove", errno);
    return {};
  }

  Status RemoveFolder(const std::string& path) override {
    if (rmdir(path.c_str()) != 0) return Failure(path, "remove the folder", errno);
    return {};
  }

  Status SyncFolder(const std::string& path) override {
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    const int descriptor = Uninterrupted([&] { return open(path.c_str(), kFlags); });
    if (descriptor < 0) return Failure(path, "open the folder", errno);
    const int result = Uninterrupted([&] { return fsync(descriptor); });
    const int error = errno;
    close(descriptor);
    if (result != 0) return Failure(path, "sync the folder", error);
    return {};
  }

  Result<std::unique_ptr<FileLock>> Lock(const std::string& path, bool create) override {
    return create ? TakeLock(path) : TestLock(path);
  }

 private:
  static Result<std::unique_ptr<FileLock>> TakeLock(const std::string& path) {
    LockDescriptors& locks = LockDescriptors::OfThisProcess();
    const std::lock_guard guard(locks.mutex());
    constexpr int kFlags = O_RDWR | O_CREAT | O_CLOEXEC;
    const int descriptor = Uninterrupted([&] { return open(path.c_str(), kFlags, 0644); });
    if (descriptor < 0) return Failure(path, "open", errno);
    flock range = WholeFile();
    if (Uninterrupted([&] { return fcntl(descriptor, F_OFD_SETLK, &range); }) != 0) {
      const int error = errno;
      Status status = error == EAGAIN || error == EACCES ? InUse(descriptor, path)
                                                         : Failure(path, "lock", error);
      close(descriptor);
      return status;
    }
    WriteHolder(descriptor);
    locks.Add(descriptor);
    return std::unique_ptr<FileLock>(std::make_unique<PosixFileLock>(descriptor));
  }

  // Asks only: taking the lock, however shortly, would get in the way of a process that opens.
  static Result<std::unique_ptr<FileLock>> TestLock(const std::string& path) {
    const int descriptor = Uninterrupted([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC); });
    if (descriptor < 0) return Failure(path, "open", errno);
    Result<bool> locked = IsLocked(descriptor, path);
    Status status = locked.ok() && *locked ? InUse(descriptor, path) : locked.TakeStatus();
    close(descriptor);
    if (!status.ok()) return status;
    return std::unique_ptr<FileLock>(std::make_unique<NoLock>());
  }
};

}  // namespace

FileSystem& PosixFileSystem() {
  static Posix file_system;
  return file_system;
}

}  // namespace burin
