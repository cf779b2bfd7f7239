#include "metrics/sync_tracepoints.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <optional>

#include "metrics/text_file.h"

namespace metrics {
namespace {

constexpr std::array<const char*, 5> kCalls = {"fsync", "fdatasync", "msync", "sync", "syncfs"};

// Where tracefs is, its own place and its older one.
constexpr std::array<const char*, 2> kPlaces = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

std::optional<uint64_t> NumberOf(const std::string& call, const std::string& root) {
  for (const char* place : kPlaces) {
    const auto text =
        ReadTextFile(fmt::format("{}{}/events/syscalls/sys_enter_{}/id", root, place, call));
    uint64_t number = 0;
    if (!text) continue;
    const auto parsed = std::from_chars(text->data(), text->data() + text->size(), number);
    if (parsed.ec == std::errc()) return number;
  }
  return std::nullopt;
}

std::string WhyNoNumber(const std::string& root) {
  const std::string events = root + kPlaces.front() + "/events";
  if (access(events.c_str(), R_OK | X_OK) == 0) {
    return "this kernel has no tracepoints of system calls: use one with CONFIG_FTRACE_SYSCALLS";
  }
  if (errno == EACCES) {
    return fmt::format(
        "{} may not be read (EACCES): run as root, or remount it with a group of "
        "yours (mount -o remount,gid=GROUP,mode=750)",
        kPlaces.front());
  }
  return fmt::format("tracefs is not mounted: mount -t tracefs tracefs {}", kPlaces.front());
}

perf_event_attr AttributesOf(uint64_t number) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_TRACEPOINT;
  attributes.config = number;
  attributes.inherit = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return attributes;
}

}  // namespace

tl::expected<std::unique_ptr<SyncTracepoints>, std::string> SyncTracepoints::Open(
    PerfSystem& system, const std::string& root) {
  std::unique_ptr<SyncTracepoints> opened(new SyncTracepoints(system));
  for (const std::string call : kCalls) {
    const auto number = NumberOf(call, root);
    if (!number) return tl::unexpected(WhyNoNumber(root));
    int result = system.Open(AttributesOf(*number), 0, -1);
    if (result >= 0) {
      opened->descriptors_.push_back(result);
      const std::string synchronous = fmt::format("flags & {}", MS_SYNC);
      result = call == "msync" ? system.Filter(result, synchronous.c_str()) : 0;
    }
    if (result < 0) return tl::unexpected(ExplainOpenFailure(-result, false, system.Inspect()));
  }
  return opened;
}

SyncTracepoints::~SyncTracepoints() {
  for (const int descriptor : descriptors_) system_.Close(descriptor);
}

uint64_t SyncTracepoints::Count() const {
  uint64_t sum = 0;
  for (const int descriptor : descriptors_) {
    PerfCount count;
    if (system_.Read(descriptor, count) == 0) sum += count.value;
  }
  return sum;
}

}  // namespace metrics
