// getrusage and /proc/self/task/*/sched.
#include "metrics/process_usage.h"

#include <charconv>
#include <filesystem>
#include <string>
#include <system_error>

#include "metrics/text_file.h"

namespace metrics {
namespace {

uint64_t Microseconds(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_usec);
}

rusage OfThisProcess() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);  // cannot fail with these arguments
  return usage;
}

}  // namespace

ProcessTimes ProcessTimes::Of(const rusage& usage) {
  return {static_cast<double>(Microseconds(usage.ru_utime)) / 1e6,
          static_cast<double>(Microseconds(usage.ru_stime)) / 1e6};
}

ProcessTimes ProcessTimes::Now() { return Of(OfThisProcess()); }

ProcessUsage ProcessUsage::Of(const rusage& usage) {
  return {.cpu_ns = (Microseconds(usage.ru_utime) + Microseconds(usage.ru_stime)) * 1000,
          .minor_faults = static_cast<uint64_t>(usage.ru_minflt),
          .major_faults = static_cast<uint64_t>(usage.ru_majflt),
          .context_switches =
              static_cast<uint64_t>(usage.ru_nvcsw) + static_cast<uint64_t>(usage.ru_nivcsw)};
}

ProcessUsage ProcessUsage::Now() { return Of(OfThisProcess()); }

// A line: "se.nr_migrations        :         12"; older kernels write it without "se.".
std::optional<uint64_t> ParseMigrations(std::string_view sched) {
  constexpr std::string_view kKey = "nr_migrations";
  size_t found = 0;
  while ((found = sched.find(kKey, found)) != std::string_view::npos) {
    const size_t begin = found;
    found += kKey.size();
    const size_t line = sched.rfind('\n', begin) + 1;  // npos + 1 is the beginning
    const std::string_view before = sched.substr(line, begin - line);
    if (!before.empty() && before != "se.") continue;
    const size_t colon = sched.find_first_not_of(" \t", found);
    if (colon == std::string_view::npos || sched[colon] != ':') continue;
    const size_t digits = sched.find_first_not_of(" \t", colon + 1);
    if (digits == std::string_view::npos) return std::nullopt;
    uint64_t count = 0;
    const auto parsed = std::from_chars(sched.data() + digits, sched.data() + sched.size(), count);
    if (parsed.ec != std::errc()) return std::nullopt;
    return count;
  }
  return std::nullopt;
}

std::optional<Migrations> ReadMigrations() {
  Migrations migrations;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
    const std::string name = entry.path().filename();
    int thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec != std::errc()) continue;
    const auto sched = ReadTextFile(entry.path() / "sched");
    if (!sched) continue;  // ended meanwhile, or not told at all
    if (const auto count = ParseMigrations(*sched)) migrations[thread] = *count;
  }
  if (migrations.empty()) return std::nullopt;
  return migrations;
}

uint64_t MigrationsBetween(const Migrations& earlier, const Migrations& later) {
  uint64_t moves = 0;
  for (const auto& [thread, count] : later) {
    const auto before = earlier.find(thread);
    const uint64_t start = before == earlier.end() ? 0 : before->second;
    moves += count < start ? count : count - start;  // less: a new thread got the old number
  }
  return moves;
}

}  // namespace metrics
