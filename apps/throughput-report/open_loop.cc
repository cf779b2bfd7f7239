#include "apps/throughput-report/open_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "apps/throughput-report/load_pictures.h"

namespace throughput {
namespace {

constexpr double kNanosecondsPerMillisecond = 1e6;

using Figure = std::function<double(const metrics::ResultRecord& run)>;

double MedianOf(const Cell& cell, const Figure& figure) {
  std::vector<double> values;
  for (const metrics::ResultRecord& run : cell.runs) values.push_back(figure(run));
  return SpreadOf(values).median;
}

Figure Latency(int percent) {
  return [percent](const metrics::ResultRecord& run) {
    return static_cast<double>(run.commit_latency_ns.Percentile(percent)) /
           kNanosecondsPerMillisecond;
  };
}

Figure Service(int percent) {
  return [percent](const metrics::ResultRecord& run) {
    return static_cast<double>(run.open_loop->service_ns.Percentile(percent)) /
           kNanosecondsPerMillisecond;
  };
}

std::string Saturated(const Cell& cell) {
  const auto saturated =
      std::count_if(cell.runs.begin(), cell.runs.end(),
                    [](const metrics::ResultRecord& run) { return run.open_loop->saturated; });
  if (saturated == 0) return "no";
  if (saturated == std::ssize(cell.runs)) return "yes";
  return fmt::format("{} of {} runs", saturated, cell.runs.size());
}

}  // namespace

bool IsOpenLoop(const Cell& cell) { return cell.runs.front().open_loop.has_value(); }

Table OpenLoopTable(const Study& study) {
  Table table{{"series and load", "runs", "rate, tx/s", "reached, tx/s", "latency p50, ms",
               "latency p99, ms", "service p50, ms", "service p99, ms", "most waiting, tx",
               "waiting at the end, tx", "saturated"},
              {}};
  for (const Cell& cell : study.cells) {
    if (!IsOpenLoop(cell)) continue;
    const auto reached = [](const metrics::ResultRecord& run) {
      return static_cast<double>(run.transactions) / run.seconds;
    };
    const auto most = [](const metrics::ResultRecord& run) { return run.open_loop->backlog_most; };
    const auto last = [](const metrics::ResultRecord& run) { return run.open_loop->backlog_last; };
    table.rows.push_back(
        {study.series[cell.series] + ", " + LoadText(cell), fmt::format("{}", cell.runs.size()),
         fmt::format("{}", cell.runs.front().open_loop->rate), FigureText(MedianOf(cell, reached)),
         FigureText(MedianOf(cell, Latency(50))), FigureText(MedianOf(cell, Latency(99))),
         FigureText(MedianOf(cell, Service(50))), FigureText(MedianOf(cell, Service(99))),
         fmt::format("{:g}", MedianOf(cell, most)), fmt::format("{:g}", MedianOf(cell, last)),
         Saturated(cell)});
  }
  return table;
}

}  // namespace throughput
