#include "tests/engine/system_call_faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <vector>

namespace burin {
namespace {

std::atomic<SystemCallFaults*> current{nullptr};  // the calls below have no other way to know

// Whether the call is to fail; errno is set then.
bool Fails(SystemCallFaults* faults, int error) {
  if (faults->interrupted.load() > 0) {
    faults->interrupted.fetch_sub(1);
    error = EINTR;
  }
  if (error != 0) errno = error;
  return error != 0;
}

std::vector<iovec> FirstBytes(const iovec* buffers, int count, size_t most) {
  std::vector<iovec> first;
  for (int i = 0; i < count && most > 0; ++i) {
    first.push_back({buffers[i].iov_base, std::min(buffers[i].iov_len, most)});
    most -= first.back().iov_len;
  }
  return first;
}

ssize_t WriteAt(int descriptor, const iovec* buffers, int count, off_t offset) {
  return syscall(SYS_pwritev, descriptor, buffers, count, offset, 0);
}

}  // namespace

SystemCallFaults* SystemCallFaults::Current() { return current.load(); }
bool SystemCallFaults::Fails(int error) { return burin::Fails(this, error); }
SystemCallFaults::SystemCallFaults() { current.store(this); }
SystemCallFaults::~SystemCallFaults() { current.store(nullptr); }

}  // namespace burin

extern "C" {

int fallocate(int descriptor, int mode, off_t offset, off_t size) {
  if (auto* faults = burin::current.load()) {
    faults->fallocates.fetch_add(1);
    if (burin::Fails(faults, faults->fallocate_error.load())) return -1;
  }
  return static_cast<int>(syscall(SYS_fallocate, descriptor, mode, offset, size));
}

ssize_t pwritev(int descriptor, const iovec* buffers, int count, off_t offset) {
  auto* faults = burin::current.load();
  if (faults == nullptr) return burin::WriteAt(descriptor, buffers, count, offset);
  faults->writes.fetch_add(1);
  faults->synced_last.store(false);
  if (burin::Fails(faults, faults->write_error.load())) return -1;
  const auto first = burin::FirstBytes(buffers, count, faults->most_bytes.load());
  return burin::WriteAt(descriptor, first.data(), static_cast<int>(first.size()), offset);
}

ssize_t pread(int descriptor, void* to, size_t size, off_t offset) {
  if (auto* faults = burin::current.load()) {
    if (burin::Fails(faults, faults->read_error.load())) return -1;
    size = std::min(size, faults->most_bytes.load());
  }
  return syscall(SYS_pread64, descriptor, to, size, offset);
}

int fdatasync(int descriptor) {
  if (auto* faults = burin::current.load()) {
    faults->syncs.fetch_add(1);
    faults->synced_last.store(true);
    if (burin::Fails(faults, faults->sync_error.load())) return -1;
  }
  return static_cast<int>(syscall(SYS_fdatasync, descriptor));
}

int posix_fadvise(int descriptor, off_t offset, off_t size, int advice) {
  auto* faults = burin::current.load();
  const bool leaves = offset == 0 && size == 0 && advice == POSIX_FADV_DONTNEED;
  if (faults != nullptr && leaves) faults->leaves_of_cache.fetch_add(1);
  return syscall(SYS_fadvise64, descriptor, offset, size, advice) == 0 ? 0 : errno;
}

int fsync(int descriptor) {
  auto* faults = burin::current.load();
  if (faults != nullptr && burin::Fails(faults, faults->folder_sync_error.load())) return -1;
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

int ftruncate(int descriptor, off_t size) {
  auto* faults = burin::current.load();
  if (faults != nullptr && burin::Fails(faults, faults->truncate_error.load())) return -1;
  return static_cast<int>(syscall(SYS_ftruncate, descriptor, size));
}

int fstat(int descriptor, struct stat* information) {
  auto* faults = burin::current.load();
  if (faults != nullptr && faults->size_error.load() != 0) {
    errno = faults->size_error.load();
    return -1;
  }
  return fstatat(descriptor, "", information, AT_EMPTY_PATH);
}

dirent* readdir(DIR* folder) {
  auto* faults = burin::current.load();
  if (faults != nullptr && faults->list_error.load() != 0) {
    errno = faults->list_error.load();
    return nullptr;
  }
  static auto* const real = reinterpret_cast<decltype(&readdir)>(dlsym(RTLD_NEXT, "readdir"));
  return real(folder);
}

int fcntl(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* const argument = va_arg(arguments, void*);  // an integer comes in the same register
  va_end(arguments);
  auto* faults = burin::current.load();
  const bool locks = command == F_OFD_SETLK || command == F_OFD_GETLK;
  if (faults != nullptr && locks && burin::Fails(faults, faults->lock_error.load())) return -1;
  return static_cast<int>(syscall(SYS_fcntl, descriptor, command, argument));
}

}  // extern "C"
