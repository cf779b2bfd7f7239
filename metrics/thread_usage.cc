// Reads comm, schedstat, stat, status and sched of each thread; a file that is missing leaves its
// figures at 0.
#include "metrics/thread_usage.h"

#include <unistd.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "metrics/text_file.h"

namespace metrics {
namespace {

uint64_t NumberAt(std::string_view text, size_t at) {
  uint64_t number = 0;
  const size_t first = text.find_first_not_of(" \t", at);
  if (first == std::string_view::npos) return 0;
  std::from_chars(text.data() + first, text.data() + text.size(), number);
  return number;
}

uint64_t NumberBehind(std::string_view text, std::string_view key) {
  const size_t found = text.find(key);
  return found == std::string_view::npos ? 0 : NumberAt(text, found + key.size());
}

// The fields of a stat file behind the name, which may hold anything but ends with the last ")".
// Index 0 is the state; the numbers of proc(5) are larger by 3.
std::array<uint64_t, 14> StatFields(std::string_view stat) {
  std::array<uint64_t, 14> fields{};
  size_t at = stat.rfind(')');
  if (at == std::string_view::npos) return fields;
  ++at;
  for (uint64_t& field : fields) {
    at = stat.find_first_not_of(' ', at);
    if (at == std::string_view::npos) break;
    field = NumberAt(stat, at);
    at = stat.find(' ', at);
    if (at == std::string_view::npos) break;
  }
  return fields;
}

ThreadUsage ReadThread(const std::filesystem::path& folder) {
  constexpr size_t kMinorFaults = 7, kMajorFaults = 9, kUserTicks = 11, kSystemTicks = 12;
  const auto read = [&](const char* name) { return ReadTextFile(folder / name).value_or(""); };
  ThreadUsage thread;
  thread.name = read("comm");
  thread.name.resize(std::min(thread.name.size(), thread.name.find('\n')));
  const auto stat = StatFields(read("stat"));
  thread.usage.minor_faults = stat[kMinorFaults];
  thread.usage.major_faults = stat[kMajorFaults];
  if (const auto schedstat = ReadTextFile(folder / "schedstat")) {
    thread.usage.cpu_ns = NumberAt(*schedstat, 0);
  } else {
    const auto ticks = static_cast<uint64_t>(sysconf(_SC_CLK_TCK));
    thread.usage.cpu_ns = (stat[kUserTicks] + stat[kSystemTicks]) * (1'000'000'000 / ticks);
  }
  const std::string status = read("status");
  thread.usage.context_switches = NumberBehind(status, "\nvoluntary_ctxt_switches:") +
                                  NumberBehind(status, "\nnonvoluntary_ctxt_switches:");
  thread.migrations = ParseMigrations(read("sched"));
  return thread;
}

}  // namespace

std::map<int, ThreadUsage> ReadThreads(const std::string& folder) {
  std::map<int, ThreadUsage> threads;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    int number = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), number).ec != std::errc()) continue;
    ThreadUsage thread = ReadThread(entry.path());
    if (!thread.name.empty()) threads[number] = std::move(thread);  // else it has just ended
  }
  return threads;
}

}  // namespace metrics
