// Owns the lines of the intervals. Stateless.
#include "apps/write-throughput/report/interval_lines.h"

#include <fmt/format.h>

#include "apps/write-throughput/report/counter_figures.h"
#include "apps/write-throughput/report/perf_block.h"
#include "apps/write-throughput/report/text.h"

namespace throughput {
namespace {

constexpr size_t kIntervalsPerHeading = 25;

std::string Heading(size_t run, size_t runs) {
  const std::string which = runs > 1 ? fmt::format("   (run {} of {})", run + 1, runs) : "";
  return "#           time             counts unit events" + which + "\n";
}

// "  during checkpoint, stall", or nothing.
std::string Marks(const metrics::Interval& interval) {
  std::string marks;
  const auto add = [&marks](bool under_way, const char* name) {
    if (under_way) marks += (marks.empty() ? "  during " : ", ") + std::string(name);
  };
  add(interval.checkpoint, "checkpoint");
  add(interval.merge, "merge");
  add(interval.stall, "stall");
  return marks;
}

std::string Lines(const metrics::Interval& interval, double begin_seconds, bool big_numbers) {
  const std::string prefix = fmt::format("{:16.9f} ", interval.end_seconds);
  const double seconds = interval.end_seconds - begin_seconds;
  const auto rows = static_cast<double>(interval.rows);
  const std::string rate =
      seconds > 0 ? fmt::format("{:>12} rows/s", Decimal(rows / seconds, 2, big_numbers)) : "";
  return prefix + PerfLine(Decimal(rows, 0, big_numbers), "", "rows", rate + Marks(interval)) +
         "\n" + CounterLines(Figures(interval.counters), seconds, big_numbers, prefix);
}

}  // namespace

std::string IntervalLines(std::span<const metrics::ResultRecord> runs, bool big_numbers) {
  std::string text;
  for (size_t run = 0; run < runs.size(); ++run) {
    double begin_seconds = 0;
    size_t printed = 0;
    for (const metrics::Interval& interval : runs[run].intervals) {
      if (printed++ % kIntervalsPerHeading == 0) text += Heading(run, runs.size());
      text += Lines(interval, begin_seconds, big_numbers);
      begin_seconds = interval.end_seconds;
    }
  }
  return text;
}

}  // namespace throughput
