// A file by the calls of POSIX, and what every kind of file on this operating system shares.
//
// Thread rule: as file_system.h says. A PosixFile is a descriptor and a path, neither ever changes.
// Invariants: every descriptor is close-on-exec; an interrupted call is repeated; a failed sync is
// not (Linux marks the pages clean, so that a second sync would prove nothing).
#pragma once

#include <cerrno>
#include <string>
#include <string_view>

#include "engine/io/file_system.h"

namespace burin {

// Repeats a system call that a signal interrupted.
template <typename Call>
auto Uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result != -1 || errno != EINTR) [[likely]]
      return result;
  }
}

// "path: operation: what errno says".
[[gnu::cold]] Status Failure(const std::string& path, std::string_view operation, int error);

// Drops what has been written, and empty buffers, from the front.
std::span<iovec> Advance(std::span<iovec> buffers, size_t written);

Result<int> OpenDescriptor(const std::string& path, FileSystem::OpenMode mode);

class PosixFile : public File {
 public:
  PosixFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  ~PosixFile() override;
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  Status Write(std::span<iovec> buffers, uint64_t offset) override;
  Result<size_t> Read(void* to, size_t size, uint64_t offset) override;
  Status Sync() override;
  void LeaveCache() override;
  Result<uint64_t> Size() override;
  Status FillWithZeros(uint64_t size) override;
  const std::string& path() const override { return path_; }

 protected:
  int descriptor() const { return descriptor_; }

 private:
  Status ReserveSpace(uint64_t size);

  const int descriptor_;
  const std::string path_;
};

}  // namespace burin
