#include "apps/write-throughput/targets/raw_log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "apps/write-throughput/messages.h"

namespace throughput {
namespace {

constexpr uint64_t kPreparedBytes = 64 << 20;  // at a time
constexpr size_t kZeros = 1 << 20;
constexpr size_t kMostParts = 1024;  // of one call (IOV_MAX)

}  // namespace

Expected<> RawLogFile::Create(const std::string& path, bool keep_rows) {
  path_ = path;
  keep_rows_ = keep_rows;
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) return Fail("cannot make", errno);
  return Prepare(kPreparedBytes);
}

Expected<> RawLogFile::OpenToRead(const std::string& path) {
  path_ = path;
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) return Fail("cannot open", errno);
  return {};
}

void RawLogFile::Close() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

Expected<> RawLogFile::Append(std::vector<iovec> parts) {
  static const char padding[kBlockBytes] = {};
  size_t bytes = 0;
  for (const iovec& part : parts) bytes += part.iov_len;
  if (const size_t rest = bytes % kBlockBytes; rest > 0) {
    parts.push_back({const_cast<char*>(padding), kBlockBytes - rest});
    bytes += kBlockBytes - rest;
  }
  if (auto room = MakeRoom(bytes); !room) return room;
  if (auto written = Write(std::move(parts), position_); !written) return written;
  if (fdatasync(descriptor_) != 0) return Fail("cannot sync", errno);
  position_ += bytes;
  return {};
}

Expected<> RawLogFile::MakeRoom(size_t bytes) {
  if (!keep_rows_ && position_ + bytes > bytes_prepared()) position_ = 0;
  while (position_ + bytes > bytes_prepared()) {
    if (auto prepared = Prepare(kPreparedBytes); !prepared) return prepared;
  }
  return {};
}

Expected<> RawLogFile::Prepare(uint64_t bytes) {
  const std::vector<char> zeros(kZeros);
  for (uint64_t done = 0; done < bytes; done += zeros.size()) {
    const uint64_t end = bytes_prepared();
    auto written = Write({{const_cast<char*>(zeros.data()), zeros.size()}}, end);
    if (!written) return written;
    prepared_.store(end + zeros.size(), std::memory_order_relaxed);
  }
  if (fdatasync(descriptor_) != 0) return Fail("cannot sync", errno);
  return {};
}

Expected<> RawLogFile::Write(std::vector<iovec> parts, uint64_t position) {
  size_t first = 0;
  while (first < parts.size()) {
    const auto count = static_cast<int>(std::min(parts.size() - first, kMostParts));
    const ssize_t result = pwritev(descriptor_, &parts[first], count, static_cast<off_t>(position));
    if (result < 0 && errno == EINTR) continue;
    if (result < 0) return Fail("cannot write", errno);
    auto written = static_cast<size_t>(result);
    position += written;
    while (first < parts.size() && written >= parts[first].iov_len) {
      written -= parts[first++].iov_len;
    }
    if (first == parts.size()) break;
    parts[first].iov_base = static_cast<char*>(parts[first].iov_base) + written;
    parts[first].iov_len -= written;
  }
  return {};
}

Expected<size_t> RawLogFile::Read(uint64_t position, char* bytes, size_t size) const {
  size_t done = 0;
  while (done < size) {
    const ssize_t got =
        pread(descriptor_, bytes + done, size - done, static_cast<off_t>(position + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Fail("cannot read", errno);
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

tl::unexpected<Failure> RawLogFile::Fail(const char* what, int error) const {
  return tl::unexpected(Failure{fmt::format("raw-log: {} {}: {}", what, path_, ErrnoText(error))});
}

}  // namespace throughput
