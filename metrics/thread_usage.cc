// Reads comm, stat, status and sched of each thread, and its CPU clock; what is missing leaves its
// figures at 0.
#include "metrics/thread_usage.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "metrics/text_file.h"

namespace metrics {
namespace {

uint64_t ClockNs(const timespec& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

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

// Of a thread of this process, to the nanosecond and up to now; 0 for others. The kernel makes the
// clock's number of the thread's (include/linux/posix-timers_types.h): its complement above three
// bits, which say "of a thread" and "by the scheduler". The files know it to the last tick only.
uint64_t CpuNsOf(int thread) {
  constexpr unsigned kSchedulersOfThread = 6;
  const auto clock =
      static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 | kSchedulersOfThread);
  timespec cpu{};
  return clock_gettime(clock, &cpu) == 0 ? ClockNs(cpu) : 0;
}

// The fields of a stat file behind the name, which may hold anything but ends with the last ")".
// Index 0 is the state; the numbers of proc(5) are larger by 3.
std::array<uint64_t, 10> StatFields(std::string_view stat) {
  std::array<uint64_t, 10> fields{};
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

ThreadUsage ReadThread(int number, const std::filesystem::path& folder) {
  constexpr size_t kMinorFaults = 7, kMajorFaults = 9;
  const auto read = [&](const char* name) { return ReadTextFile(folder / name).value_or(""); };
  ThreadUsage thread;
  thread.name = read("comm");
  thread.name.resize(std::min(thread.name.size(), thread.name.find('\n')));
  const auto stat = StatFields(read("stat"));
  thread.usage.minor_faults = stat[kMinorFaults];
  thread.usage.major_faults = stat[kMajorFaults];
  thread.usage.cpu_ns = CpuNsOf(number);
  const std::string status = read("status");
  thread.usage.context_switches = NumberBehind(status, "\nvoluntary_ctxt_switches:") +
                                  NumberBehind(status, "\nnonvoluntary_ctxt_switches:");
  thread.migrations = ParseMigrations(read("sched"));
  return thread;
}

}  // namespace

OwnUsage ReadOwnThread() {
  rusage usage{};
  timespec cpu{};
  getrusage(RUSAGE_THREAD, &usage);  // neither can fail with these arguments
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
  OwnUsage own{gettid(), ProcessUsage::Of(usage)};
  own.usage.cpu_ns = ClockNs(cpu);
  return own;
}

std::map<int, ThreadUsage> ReadThreads(const std::string& folder) {
  std::map<int, ThreadUsage> threads;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    int number = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), number).ec != std::errc()) continue;
    ThreadUsage thread = ReadThread(number, entry.path());
    if (!thread.name.empty()) threads[number] = std::move(thread);  // else it has just ended
  }
  return threads;
}

}  // namespace metrics
