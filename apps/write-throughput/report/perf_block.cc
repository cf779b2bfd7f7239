// Owns the layout of the perf-like block. Stateless.
#include "apps/write-throughput/report/perf_block.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "apps/write-throughput/report/text.h"
#include "metrics/statistics.h"

namespace throughput {
namespace {

// What stands at the end of a counter's last line: the spread of the runs, then the share of the
// time in which the counter was scheduled, where it had to take turns.
std::string Tail(const CounterFigure& figure) {
  std::string tail = ErrorTail(figure.error_percent);
  const bool took_turns = figure.running_ns != figure.enabled_ns;
  const bool timed = figure.running_ns > 0 || figure.status == metrics::CounterStatus::kNotCounted;
  if (took_turns && timed) {
    tail += fmt::format("  ({:.2f}%)", RunningPercent(figure));
  }
  return tail;
}

std::string Header(const char* what, const std::vector<std::string>& arguments, size_t runs) {
  const std::string command = PrintableLine(fmt::format("{}", fmt::join(arguments, " ")));
  const std::string count = runs > 1 ? fmt::format(" ({} runs)", runs) : "";
  return fmt::format("\n {} '{}'{}:\n", what, command, count);
}

// Digits that are worth showing of a mean: two more than its error has zeros behind the point.
int Precision(double error) {
  constexpr int kNanoseconds = 9;
  if (error <= 0) return kNanoseconds;
  if (error > 1) return 2;
  return std::min(kNanoseconds, static_cast<int>(std::ceil(-std::log10(error))) + 2);
}

std::vector<double> Seconds(std::span<const metrics::ResultRecord> runs) {
  std::vector<double> seconds;
  for (const metrics::ResultRecord& run : runs) seconds.push_back(CountedSpan(run).seconds);
  return seconds;
}

std::string Footer(std::span<const metrics::ResultRecord> runs) {
  if (runs.size() == 1) {
    const metrics::ProcessSpan span = CountedSpan(runs[0]);
    return fmt::format(
        "\n{:18.9f} seconds time elapsed\n\n{:18.9f} seconds user\n"
        "{:18.9f} seconds sys\n",
        span.seconds, span.user_seconds, span.system_seconds);
  }
  const std::vector<double> seconds = Seconds(runs);
  const double mean = metrics::Mean(seconds);
  const double error = metrics::StandardError(seconds);
  const int precision = Precision(error);
  return fmt::format("\n{:18.{}f} +- {:.{}f} seconds time elapsed{}\n", mean, precision, error,
                     precision, ErrorTail(mean == 0 ? 0 : 100 * error / mean));
}

}  // namespace

std::string CounterLines(std::span<const CounterFigure> figures, double wall_seconds,
                         bool big_numbers, const std::string& prefix) {
  std::string text;
  for (const CounterFigure& figure : figures) {
    const std::vector<CounterMetric> metrics = Metrics(figure, figures, wall_seconds);
    const std::string tail = Tail(figure);
    const bool two_lines = metrics.size() > 1;
    text += prefix + PerfLine(ShownValue(figure, big_numbers), ShownUnit(figure),
                              PrintableLine(figure.label), MetricText(metrics[0]),
                              two_lines ? "" : tail);
    text += '\n';
    if (two_lines) text += prefix + PerfContinuation(MetricText(metrics[1]), tail) + '\n';
  }
  return text;
}

std::string PerfBlock(std::span<const metrics::ResultRecord> runs,
                      const std::vector<std::string>& arguments, bool big_numbers) {
  const std::vector<CounterFigure> figures = Figures(runs);
  if (figures.empty()) return Header("Times of", arguments, runs.size()) + Footer(runs);
  return Header("Performance counter stats for", arguments, runs.size()) + "\n" +
         CounterLines(figures, metrics::Mean(Seconds(runs)), big_numbers) + Footer(runs);
}

}  // namespace throughput
