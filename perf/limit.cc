// The program `limit`: what the device allows one thread that syncs every transaction.
//
// Appends the bytes of the standard workload, in the sizes Burin gives them (a record per
// transaction: 64 bytes of header, then 12 bytes and `data_<id>` for each row, padded to 4 KiB), to
// a file that was filled with zeros and synced before, and calls fdatasync after each. All bytes
// are prepared before the clock starts: two system calls per transaction are what is timed.
// Prints one row, `raw,1,BATCH,0,ROWS_PER_SECOND`. Exit codes: 0, 1 failed, 2 bad flag.
// Thread rule: one thread.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
// Without its regular expressions, which depend on the locale.
#define CXXOPTS_NO_REGEX
#include <cxxopts.hpp>
#include <exception>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace {

constexpr size_t kRecordHeaderBytes = 64;
constexpr size_t kRowHeaderBytes = 12;  // an 8-byte id and a 4-byte length
constexpr size_t kBlockBytes = 4096;
constexpr size_t kMaxTotalBytes = 4ULL << 30;  // of memory, and of the file

struct Options {
  int64_t batch_size = 0;
  int64_t iterations = 0;
  std::string folder;
};

struct Failure {
  int exit_code = 1;
  std::string text;  // one line
};
template <typename T = void>
using Expected = tl::expected<T, Failure>;

tl::unexpected<Failure> Refused(std::string text) {
  return tl::unexpected(Failure{2, std::move(text)});
}

tl::unexpected<Failure> SystemFailure(std::string_view operation, const std::string& path) {
  return tl::unexpected(Failure{1, fmt::format("{} {}: {}", operation, path, strerror(errno))});
}

// The transactions one behind the other, and where each ends.
struct Load {
  std::vector<char> bytes;
  std::vector<size_t> ends;
};

// No transaction of the load is larger.
size_t LargestTransactionBytes(const Options& options) {
  const size_t largest_value =
      fmt::formatted_size("data_{}", options.batch_size * options.iterations);
  const size_t bytes = kRecordHeaderBytes +
                       static_cast<size_t>(options.batch_size) * (kRowHeaderBytes + largest_value);
  return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

Load Prepare(const Options& options) {
  Load load;
  load.bytes.reserve(static_cast<size_t>(options.iterations) * LargestTransactionBytes(options));
  std::string value;
  int64_t id = 0;
  for (int64_t transaction = 0; transaction < options.iterations; ++transaction) {
    load.bytes.resize(load.bytes.size() + kRecordHeaderBytes);
    for (int64_t row = 0; row < options.batch_size; ++row, ++id) {
      value.clear();
      fmt::format_to(std::back_inserter(value), "data_{}", id);
      const auto size = static_cast<uint32_t>(value.size());
      char header[kRowHeaderBytes];
      std::memcpy(header, &id, sizeof id);
      std::memcpy(header + sizeof id, &size, sizeof size);
      load.bytes.insert(load.bytes.end(), header, header + kRowHeaderBytes);
      load.bytes.insert(load.bytes.end(), value.begin(), value.end());
    }
    load.bytes.resize((load.bytes.size() + kBlockBytes - 1) / kBlockBytes * kBlockBytes);
    load.ends.push_back(load.bytes.size());
  }
  return load;
}

// A new file of its own name in a folder; removed with the object.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& folder) : path_(folder + "/limit.XXXXXX") {
    descriptor_ = mkstemp(path_.data());
  }
  ~ScratchFile() {
    if (descriptor_ < 0) return;
    close(descriptor_);
    unlink(path_.c_str());
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  const std::string& path() const { return path_; }

  Expected<> Write(std::string_view bytes, size_t offset) {
    while (!bytes.empty()) {
      const ssize_t written =
          pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return SystemFailure("cannot write", path_);
      bytes.remove_prefix(static_cast<size_t>(written));
      offset += static_cast<size_t>(written);
    }
    return {};
  }

  Expected<> Sync() {
    if (fdatasync(descriptor_) != 0) return SystemFailure("cannot sync", path_);
    return {};
  }

 private:
  std::string path_;
  int descriptor_;
};

// Written zeros: blocks that only fallocate reserved would cost each sync a journal commit.
Expected<> FillWithZeros(ScratchFile& file, size_t size) {
  const std::string zeros(1 << 20, '\0');
  for (size_t offset = 0; offset < size; offset += zeros.size()) {
    if (auto written = file.Write(zeros, offset); !written) return written;
  }
  return file.Sync();
}

Expected<double> MeasureSeconds(ScratchFile& file, const Load& load) {
  const auto start = std::chrono::steady_clock::now();
  size_t offset = 0;
  for (const size_t end : load.ends) {
    const std::string_view record(load.bytes.data() + offset, end - offset);
    if (auto written = file.Write(record, offset); !written) {
      return tl::unexpected(written.error());
    }
    if (auto synced = file.Sync(); !synced) return tl::unexpected(synced.error());
    offset = end;
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Expected<> Run(const Options& options) {
  const Load load = Prepare(options);
  ScratchFile file(options.folder);
  if (!file.is_open()) {
    return Refused(fmt::format("--folder {}: {}", options.folder, strerror(errno)));
  }
  if (auto filled = FillWithZeros(file, load.bytes.size()); !filled) return filled;
  const auto seconds = MeasureSeconds(file, load);
  if (!seconds) return tl::unexpected(seconds.error());

  const double rows = static_cast<double>(options.batch_size * options.iterations);
  fmt::print("raw,1,{},0,{:.2f}\n", options.batch_size, rows / *seconds);
  if (std::fflush(stdout) != 0) return SystemFailure("cannot write", "standard output");
  return {};
}

Expected<int64_t> ParseCount(std::string_view flag, const std::string& text, int64_t largest) {
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 1 || value > largest) {
    return Refused(
        fmt::format("{} {}: a whole number from 1 to {} is allowed", flag, text, largest));
  }
  return value;
}

Expected<Options> ReadOptions(const cxxopts::ParseResult& parsed) {
  if (!parsed.unmatched().empty()) {
    return Refused(fmt::format("{}: no such argument is allowed", parsed.unmatched().front()));
  }
  const auto batch = ParseCount("--batch-size", parsed["batch-size"].as<std::string>(), 1'000'000);
  if (!batch) return tl::unexpected(batch.error());
  const auto iterations =
      ParseCount("--iterations", parsed["iterations"].as<std::string>(), 1'000'000);
  if (!iterations) return tl::unexpected(iterations.error());
  Options options{*batch, *iterations, parsed["folder"].as<std::string>()};
  const size_t most = kMaxTotalBytes / LargestTransactionBytes(options);
  if (static_cast<size_t>(*iterations) > most) {
    return Refused(
        fmt::format("--iterations {}: with --batch-size {} at most {} are allowed, as all "
                    "is held in memory",
                    *iterations, *batch, most));
  }
  return options;
}

// Nothing: the help was asked for.
Expected<std::optional<Options>> ReadCommandLine(int argc, char** argv) {
  const auto text = [](const char* value) {
    return cxxopts::value<std::string>()->default_value(value);
  };
  cxxopts::Options flags("limit", "What the disk allows one thread that syncs each transaction");
  flags.add_options()("b,batch-size", "rows per transaction", text("100"));
  flags.add_options()("i,iterations", "transactions", text("6000"));
  flags.add_options()("folder", "where the file is while it runs", text("."));
  flags.add_options()("h,help", "print this and leave");
  try {
    const auto parsed = flags.parse(argc, argv);
    if (parsed.count("help") == 0) return ReadOptions(parsed);
    fmt::print("{}", flags.help());
    return std::nullopt;
  } catch (const std::exception& error) {  // cxxopts throws more than its own kind
    return Refused(error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto done = ReadCommandLine(argc, argv).and_then([](const std::optional<Options>& options) {
    return options ? Run(*options) : Expected<>();
  });
  if (done) return 0;
  fmt::print(stderr, "limit: {}\n", done.error().text);
  return done.error().exit_code;
}
