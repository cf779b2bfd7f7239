// Owns the heading. Stateless.
#include "apps/write-throughput/report/thread_lines.h"

#include <fmt/format.h>

#include "apps/write-throughput/report/counter_figures.h"
#include "apps/write-throughput/report/perf_block.h"
#include "apps/write-throughput/report/text.h"

namespace throughput {

namespace {

// Of a run whose threads have no perf events.
std::string Source(const metrics::ResultRecord& run) {
  for (const metrics::ThreadReadings& thread : run.thread_counters) {
    for (const metrics::CounterReading& reading : thread.counters) {
      if (reading.source == "perf") return "";
    }
  }
  return ", software counters from /proc";
}

}  // namespace

std::string ThreadPrefix(const std::string& name) {
  return fmt::format("{:>16} ", PrintableLine(name));
}

std::string ThreadLines(std::span<const metrics::ResultRecord> runs, bool big_numbers) {
  std::string text;
  for (const metrics::ResultRecord& run : runs) {
    if (run.thread_counters.empty()) continue;
    const std::string which =
        runs.size() > 1 ? fmt::format(" (run {} of {})", run.repeat, runs.size()) : "";
    text += fmt::format("\n Threads{}{}:\n", which, Source(run));
    for (const metrics::ThreadReadings& thread : run.thread_counters) {
      text += CounterLines(Figures(thread.counters), run.seconds, big_numbers,
                           ThreadPrefix(thread.name));
    }
  }
  return text;
}

}  // namespace throughput
