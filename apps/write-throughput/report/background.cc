// Owns the figures of the background and their lines. Stateless.
#include "apps/write-throughput/report/background.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/write-throughput/report/text.h"

namespace throughput {
namespace {

using metrics::Background;
using metrics::ResultRecord;

// The runs of a cell, whose figures are summed up or searched for the largest.
class Figures {
 public:
  Figures(std::span<const ResultRecord> runs, bool big_numbers)
      : runs_(runs), big_numbers_(big_numbers) {}

  template <typename Figure>
  double Sum(Figure figure) const {
    double sum = 0;
    for (const ResultRecord& run : runs_) sum += static_cast<double>(figure(run));
    return sum;
  }
  double Sum(uint64_t Background::*field) const {
    return Sum([field](const ResultRecord& run) { return run.background.*field; });
  }
  double Longest(uint64_t Background::*field) const {
    uint64_t longest = 0;
    for (const ResultRecord& run : runs_) longest = std::max(longest, run.background.*field);
    return static_cast<double>(longest);
  }

  // A mean over the runs; that of a count need not be whole.
  std::string Mean(double sum) const {
    const double mean = sum / static_cast<double>(runs_.size());
    return Decimal(mean, mean == std::floor(mean) ? 0 : 2, big_numbers_);
  }
  std::string MeanMilliseconds(double sum_ns) const {
    return Milliseconds(sum_ns / static_cast<double>(runs_.size()));
  }
  std::string Milliseconds(double ns) const { return Decimal(ns * 1e-6, 2, big_numbers_); }

 private:
  const std::span<const ResultRecord> runs_;
  const bool big_numbers_;
};

std::string Line(const std::string& value, const char* unit, const char* name,
                 const std::string& number = "", const char* what = "") {
  const std::string comment = number.empty() ? "" : fmt::format("{:>16} {}", number, what);
  return PerfLine(value, unit, name, comment) + "\n";
}

std::string Percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.2f}%", 100 * part / whole) : "";
}

std::string WorkLines(const Figures& figures) {
  const double bytes = figures.Sum(&Background::bytes_written);
  const double cpu_ns = figures.Sum(&Background::cpu_ns);
  return Line(figures.Mean(figures.Sum(&Background::checkpoints)), "", "checkpoints",
              figures.Mean(figures.Sum(&Background::merges)), "merges") +
         Line(figures.Mean(bytes), "", "bytes of theirs", Percent(bytes, figures.Sum(AllBytes)),
              "of all bytes") +
         Line(figures.MeanMilliseconds(cpu_ns), "msec", "CPU time of theirs",
              Percent(cpu_ns, figures.Sum(AllCpuNanoseconds)), "of all CPU time") +
         Line(figures.Mean(figures.Sum(&Background::stalls)), "", "stalls of load threads",
              figures.MeanMilliseconds(figures.Sum(&Background::stall_ns)), "msec all together") +
         Line(figures.Milliseconds(figures.Longest(&Background::longest_stall_ns)), "msec",
              "longest stall");
}

}  // namespace

double AllBytes(const ResultRecord& run) {
  return static_cast<double>(run.bytes_written) + static_cast<double>(run.bytes_prepared);
}

double AllCpuNanoseconds(const ResultRecord& run) {
  return (run.user_seconds + run.system_seconds) * 1e9;
}

IntervalCount WholeIntervals(const ResultRecord& run) {
  const auto& intervals = run.intervals;
  IntervalCount count{intervals.size(), 0};
  if (count.all > 1) {
    const double last = intervals.back().end_seconds - intervals[count.all - 2].end_seconds;
    if (last < intervals.front().end_seconds) --count.all;
  }
  for (size_t i = 0; i < count.all; ++i) count.without_rows += intervals[i].rows == 0 ? 1 : 0;
  return count;
}

std::string BackgroundDetails(std::span<const ResultRecord> runs, bool big_numbers) {
  const Figures figures(runs, big_numbers);
  std::string lines;
  const double longest_sync = figures.Longest(&Background::longest_sync_ns);
  if (longest_sync > 0) lines += Line(figures.Milliseconds(longest_sync), "msec", "longest sync");
  const bool worked =
      figures.Sum(&Background::bytes_written) > 0 || figures.Sum(&Background::stalls) > 0;
  if (worked) lines += WorkLines(figures);
  const double intervals =
      figures.Sum([](const ResultRecord& run) { return WholeIntervals(run).all; });
  if (intervals > 0) {
    const double without_rows =
        figures.Sum([](const ResultRecord& run) { return WholeIntervals(run).without_rows; });
    lines +=
        Line(figures.Mean(intervals), "", "intervals", figures.Mean(without_rows), "without a row");
  }
  return lines.empty() ? "" : "\n" + lines;
}

}  // namespace throughput
