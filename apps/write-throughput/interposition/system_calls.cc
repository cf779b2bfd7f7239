// The functions of the C library by which a process writes and syncs, as this executable defines
// them: each makes the system call itself and counts it (call_counts.h). As the executable is the
// first place where the dynamic linker looks, the calls of every library arrive here, too;
// exported_symbols.txt makes them visible to it.
//
// Thread rule: from any thread. Invariant: result and errno are those of the system call.
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "apps/write-throughput/interposition/call_counts.h"

namespace {

// What is known of a descriptor: asked of the kernel at the first write and forgotten at close.
enum Kind : uint8_t {
  kUnknown,
  kNoFile,      // a pipe, a terminal, a socket: not counted
  kFile,        // a file or a block device
  kSyncedFile,  // opened with O_DSYNC or O_SYNC: each write is a sync, too
};
constexpr int kRememberedDescriptors = 4096;
constinit std::atomic<uint8_t> kinds[kRememberedDescriptors] = {};

[[gnu::cold]] Kind AskKind(int descriptor) {
  const int error = errno;
  struct stat status;
  Kind kind = kNoFile;
  if (fstat(descriptor, &status) == 0 && (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode))) {
    const int flags = fcntl(descriptor, F_GETFL);
    kind = flags >= 0 && (flags & (O_DSYNC | O_SYNC)) != 0 ? kSyncedFile : kFile;
  }
  errno = error;
  return kind;
}

Kind KindOf(int descriptor) {
  if (descriptor < 0 || descriptor >= kRememberedDescriptors) return AskKind(descriptor);
  uint8_t kind = kinds[descriptor].load(std::memory_order_relaxed);
  if (kind == kUnknown) [[unlikely]] {
    kind = AskKind(descriptor);
    kinds[descriptor].store(kind, std::memory_order_relaxed);
  }
  return static_cast<Kind>(kind);
}

int64_t Nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec;
}

template <typename Call>
auto Timed(const Call& call) {
  const int64_t start = Nanoseconds();
  throughput::BeginSync(start);
  const auto result = call();
  throughput::EndSync(result >= 0, Nanoseconds() - start);
  return result;
}

template <typename Call>
ssize_t Written(int descriptor, bool synced, const Call& call) {
  const Kind kind = KindOf(descriptor);
  if (kind == kNoFile) return call();
  const ssize_t written = synced || kind == kSyncedFile ? Timed(call) : call();
  throughput::CountWrite(written);
  return written;
}

// The kernel takes the position in two halves; on a 64-bit system the first holds all of it.
ssize_t WriteVector(int descriptor, const iovec* parts, int count, off_t position, int flags) {
  const bool synced = (flags & (RWF_DSYNC | RWF_SYNC)) != 0;
  return Written(descriptor, synced, [&] {
    return syscall(SYS_pwritev2, descriptor, parts, static_cast<long>(count), position, 0L, flags);
  });
}

}  // namespace

extern "C" {

int fsync(int descriptor) {
  return Timed([&] { return static_cast<int>(syscall(SYS_fsync, descriptor)); });
}

int fdatasync(int descriptor) {
  return Timed([&] { return static_cast<int>(syscall(SYS_fdatasync, descriptor)); });
}

int syncfs(int descriptor) noexcept {
  return Timed([&] { return static_cast<int>(syscall(SYS_syncfs, descriptor)); });
}

void sync() noexcept {
  Timed([&] { return syscall(SYS_sync); });
}

int msync(void* address, size_t size, int flags) {
  const auto call = [&] { return static_cast<int>(syscall(SYS_msync, address, size, flags)); };
  return (flags & MS_SYNC) != 0 ? Timed(call) : call();
}

int sync_file_range(int descriptor, off64_t offset, off64_t size, unsigned int flags) {
  throughput::CountRangeSync();
  return static_cast<int>(syscall(SYS_sync_file_range, descriptor, offset, size, flags));
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  return Written(descriptor, false, [&] { return syscall(SYS_write, descriptor, bytes, size); });
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  return Written(descriptor, false,
                 [&] { return syscall(SYS_writev, descriptor, parts, static_cast<long>(count)); });
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t position) {
  return Written(descriptor, false,
                 [&] { return syscall(SYS_pwrite64, descriptor, bytes, size, position); });
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t position) {
  return pwrite(descriptor, bytes, size, position);
}

ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t position) {
  return WriteVector(descriptor, parts, count, position, 0);
}

ssize_t pwritev64(int descriptor, const iovec* parts, int count, off64_t position) {
  return WriteVector(descriptor, parts, count, position, 0);
}

ssize_t pwritev2(int descriptor, const iovec* parts, int count, off_t position, int flags) {
  return WriteVector(descriptor, parts, count, position, flags);
}

ssize_t pwritev64v2(int descriptor, const iovec* parts, int count, off64_t position, int flags) {
  return WriteVector(descriptor, parts, count, position, flags);
}

// Counts nothing: its number may be another file's next.
int close(int descriptor) {
  if (descriptor >= 0 && descriptor < kRememberedDescriptors) {
    kinds[descriptor].store(kUnknown, std::memory_order_relaxed);
  }
  return static_cast<int>(syscall(SYS_close, descriptor));
}

}  // extern "C"
