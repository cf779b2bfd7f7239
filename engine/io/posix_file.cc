#include "engine/io/posix_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>

namespace burin {
namespace {

constexpr char kZeros[64 << 10] = {};

// Running out of descriptors is the user's limit, not the disk's fault: the text says which.
std::string DescriptorLimit(int error) {
  rlimit limit{};
  if (error == ENFILE) return " (the limit of this machine, see /proc/sys/fs/file-max)";
  if (error != EMFILE || getrlimit(RLIMIT_NOFILE, &limit) != 0) return "";
  const std::string count = std::to_string(limit.rlim_cur);
  return " (the limit of this process is " + count + ", more are needed: see ulimit -n)";
}

}  // namespace

Status Failure(const std::string& path, std::string_view operation, int error) {
  const bool full = error == ENOSPC || error == EDQUOT;
  const char* text = strerrordesc_np(error);  // untranslated, whatever the locale
  return Status(full ? StatusCode::kNoSpace : StatusCode::kIoError,
                path + ": " + std::string(operation) + ": " +
                    (text != nullptr ? text : "error " + std::to_string(error)) +
                    DescriptorLimit(error));
}

std::span<iovec> Advance(std::span<iovec> buffers, size_t written) {
  while (!buffers.empty() && written >= buffers.front().iov_len) {
    written -= buffers.front().iov_len;
    buffers = buffers.subspan(1);
  }
  if (written > 0) {
    buffers.front().iov_base = static_cast<char*>(buffers.front().iov_base) + written;
    buffers.front().iov_len -= written;
  }
  return buffers;
}

Result<int> OpenDescriptor(const std::string& path, FileSystem::OpenMode mode) {
  using OpenMode = FileSystem::OpenMode;
  int flags = O_CLOEXEC;
  if (mode == OpenMode::kReadOnly) flags |= O_RDONLY;
  if (mode == OpenMode::kReadWrite) flags |= O_RDWR;
  if (mode == OpenMode::kCreate) flags |= O_RDWR | O_CREAT | O_TRUNC;
  const int descriptor = Uninterrupted([&] { return open(path.c_str(), flags, 0644); });
  if (descriptor >= 0) return descriptor;
  return Failure(path, mode == OpenMode::kCreate ? "create" : "open", errno);
}

PosixFile::~PosixFile() { close(descriptor_); }

Status PosixFile::Write(std::span<iovec> buffers, uint64_t offset) {
  while (!buffers.empty()) {
    const int count = static_cast<int>(std::min<size_t>(buffers.size(), IOV_MAX));
    const ssize_t written = Uninterrupted(
        [&] { return pwritev(descriptor_, buffers.data(), count, static_cast<off_t>(offset)); });
    if (written < 0) return Failure(path_, "write", errno);
    buffers = Advance(buffers, static_cast<size_t>(written));
    // A write that takes nothing and names no reason would be repeated for ever.
    if (written == 0 && !buffers.empty()) return Failure(path_, "write", EIO);
    offset += static_cast<uint64_t>(written);
  }
  return {};
}

Result<size_t> PosixFile::Read(void* to, size_t size, uint64_t offset) {
  size_t done = 0;
  while (done < size) {
    const ssize_t got = Uninterrupted([&] {
      return pread(descriptor_, static_cast<char*>(to) + done, size - done,
                   static_cast<off_t>(offset + done));
    });
    if (got < 0) return Failure(path_, "read", errno);
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

Status PosixFile::Sync() {
  if (Uninterrupted([&] { return fdatasync(descriptor_); }) != 0) {
    return Failure(path_, "fdatasync", errno);
  }
  return {};
}

void PosixFile::LeaveCache() {
  static_cast<void>(posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED));
}

Result<uint64_t> PosixFile::Size() {
  struct stat information {};
  if (fstat(descriptor_, &information) != 0) return Failure(path_, "stat", errno);
  return static_cast<uint64_t>(information.st_size);
}

Status PosixFile::FillWithZeros(uint64_t size) {
  if (Status status = ReserveSpace(size); !status.ok()) return status;
  if (Uninterrupted([&] { return ftruncate(descriptor_, static_cast<off_t>(size)); }) != 0) {
    return Failure(path_, "truncate", errno);
  }
  constexpr uint64_t kAtOnce = 16 * sizeof kZeros;
  for (uint64_t offset = 0; offset < size; offset += kAtOnce) {
    std::array<iovec, 16> parts;
    uint64_t left = std::min(size - offset, kAtOnce);
    for (iovec& part : parts) {
      part = {const_cast<char*>(kZeros), std::min<uint64_t>(left, sizeof kZeros)};
      left -= part.iov_len;
    }
    if (Status status = Write(parts, offset); !status.ok()) return status;
  }
  return {};
}

// Keeps the blocks together on the disk. File systems that cannot (NFS), or that say "no space"
// while there is some (ZFS), are no error: the writes that follow decide.
Status PosixFile::ReserveSpace(uint64_t size) {
  if (size == 0) return {};
  if (Uninterrupted([&] { return fallocate(descriptor_, 0, 0, static_cast<off_t>(size)); }) == 0) {
    return {};
  }
  switch (errno) {
    case EOPNOTSUPP:
    case EINVAL:
    case ENOSPC:
    case EDQUOT:
    case EPERM:
    case ENOSYS:
      return {};
    default:
      return Failure(path_, "fallocate", errno);
  }
}

}  // namespace burin
