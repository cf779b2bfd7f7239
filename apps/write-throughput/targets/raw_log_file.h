// A file that was filled with zeros and synced before: appending to it costs no metadata, which is
// the least that a disk can be asked for. At the end it begins anew where the rows need not be
// kept, and else makes more room.
//
// Thread rule: one thread at a time. Invariant: positions are multiples of kBlockBytes.
#pragma once

#include <sys/uio.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/write-throughput/targets/target.h"

namespace throughput {

class RawLogFile {
 public:
  static constexpr size_t kBlockBytes = 4096;

  RawLogFile() = default;
  ~RawLogFile() { Close(); }
  RawLogFile(const RawLogFile&) = delete;
  RawLogFile& operator=(const RawLogFile&) = delete;

  Expected<> Create(const std::string& path, bool keep_rows);
  Expected<> OpenToRead(const std::string& path);
  void Close();

  // Appends the parts, one behind the other and padded with zeros to whole blocks, and syncs.
  Expected<> Append(std::vector<iovec> parts);

  // Fewer than asked for at the end of the file.
  Expected<size_t> Read(uint64_t position, char* bytes, size_t size) const;

  uint64_t bytes_prepared() const { return prepared_.load(std::memory_order_relaxed); }

 private:
  Expected<> MakeRoom(size_t bytes);
  Expected<> Prepare(uint64_t bytes);
  Expected<> Write(std::vector<iovec> parts, uint64_t position);
  tl::unexpected<Failure> Fail(const char* what, int error) const;

  std::string path_;
  int descriptor_ = -1;
  bool keep_rows_ = false;
  uint64_t position_ = 0;
  std::atomic<uint64_t> prepared_{0};  // the size of the file
};

}  // namespace throughput
