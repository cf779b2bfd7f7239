// The accounts are those of Documentation/block/stat.rst: number 5 is the writes, 16 the flushes.
#include "metrics/sync_trial.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <vector>

#include "metrics/statistics.h"
#include "metrics/text_file.h"

namespace metrics {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBlock = 4096;
constexpr int kSyncs = 25;
constexpr std::chrono::seconds kLongest(1);

class NamelessFile {
 public:
  explicit NamelessFile(const std::string& folder) {
    std::string path = folder + "/write-throughput.XXXXXX";
    descriptor_ = mkostemp(path.data(), O_CLOEXEC);
    error_ = descriptor_ < 0 ? errno : 0;
    if (descriptor_ >= 0) unlink(path.c_str());
  }
  ~NamelessFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  int descriptor() const { return descriptor_; }
  int error() const { return error_; }

 private:
  int descriptor_ = -1;
  int error_ = 0;
};

// The whole device's folder in /sys, of a partition its parent; empty: there is none.
fs::path DeviceFolder(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return {};
  std::error_code error;
  const fs::path link =
      fmt::format("/sys/dev/block/{}:{}", major(status.st_dev), minor(status.st_dev));
  const fs::path folder = fs::canonical(link, error);
  if (error) return {};
  return fs::exists(folder / "partition", error) ? folder.parent_path() : folder;
}

std::optional<uint64_t> Account(const fs::path& device, size_t number) {
  const auto text = ReadTextFile(device / "stat");
  if (!text) return std::nullopt;
  size_t at = 0;
  for (size_t i = 1; i < number && at != std::string::npos; ++i) {
    at = text->find(' ', text->find_first_not_of(' ', at));
  }
  at = text->find_first_not_of(' ', at);
  uint64_t value = 0;
  if (at == std::string::npos) return std::nullopt;
  const auto parsed = std::from_chars(text->data() + at, text->data() + text->size(), value);
  if (parsed.ec != std::errc()) return std::nullopt;
  return value;
}

std::optional<uint64_t> Since(std::optional<uint64_t> before, std::optional<uint64_t> now) {
  if (!before || !now) return std::nullopt;
  return *now - *before;
}

std::string Failed(const char* call, int error) {
  const char* text = strerrordesc_np(error);
  return fmt::format("{}: {}", call, text != nullptr ? text : "unknown error");
}

// Fills error, syncs and median_us.
void Sync(int descriptor, SyncTrial& trial) {
  using Clock = std::chrono::steady_clock;
  const std::vector<char> block(kBlock, 'x');
  std::vector<double> took_us;
  const Clock::time_point begin = Clock::now();
  while (trial.syncs < kSyncs && (trial.syncs == 0 || Clock::now() - begin < kLongest)) {
    const off_t place = static_cast<off_t>(kBlock) * trial.syncs;
    const ssize_t written = pwrite(descriptor, block.data(), block.size(), place);
    if (written != static_cast<ssize_t>(kBlock)) {
      trial.error = Failed("writing a file", written < 0 ? errno : ENOSPC);
      return;
    }
    const Clock::time_point called = Clock::now();
    if (fdatasync(descriptor) != 0) {
      trial.error = Failed("fdatasync", errno);
      return;
    }
    took_us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - called).count());
    ++trial.syncs;
  }
  trial.median_us = Median(took_us);
}

}  // namespace

SyncTrial TrySyncs(const std::string& folder) {
  constexpr size_t kWrites = 5, kFlushes = 16;
  SyncTrial trial;
  const NamelessFile file(folder);
  if (file.descriptor() < 0) {
    trial.error = Failed("making a file", file.error());
    return trial;
  }
  const fs::path device = DeviceFolder(file.descriptor());
  const auto writes = Account(device, kWrites);
  const auto flushes = Account(device, kFlushes);
  Sync(file.descriptor(), trial);
  if (device.empty()) return trial;
  trial.device = device.filename();
  trial.writes = Since(writes, Account(device, kWrites));
  trial.flushes = Since(flushes, Account(device, kFlushes));
  trial.volatile_cache =
      ReadTextFile(device / "queue/write_cache").value_or("").starts_with("write back");
  return trial;
}

}  // namespace metrics
