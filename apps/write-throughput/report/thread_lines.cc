// Owns the heading. Stateless.
#include "apps/write-throughput/report/thread_lines.h"

#include <fmt/format.h>

#include "apps/write-throughput/report/counter_figures.h"
#include "apps/write-throughput/report/perf_block.h"
#include "apps/write-throughput/report/text.h"

namespace throughput {

std::string ThreadPrefix(const std::string& name) {
  return fmt::format("{:>16} ", PrintableLine(name));
}

std::string ThreadLines(std::span<const metrics::ResultRecord> runs, bool big_numbers) {
  std::string text;
  for (const metrics::ResultRecord& run : runs) {
    if (run.thread_counters.empty()) continue;
    text += runs.size() > 1 ? fmt::format("\n Threads (run {} of {}):\n", run.repeat, runs.size())
                            : "\n Threads:\n";
    for (const metrics::ThreadReadings& thread : run.thread_counters) {
      text += CounterLines(Figures(thread.counters), run.seconds, big_numbers,
                           ThreadPrefix(thread.name));
    }
  }
  return text;
}

}  // namespace throughput
