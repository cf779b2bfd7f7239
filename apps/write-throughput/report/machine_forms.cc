// Owns the fields of the machine forms. Stateless.
#include "apps/write-throughput/report/machine_forms.h"

#include <fmt/format.h>

#include <vector>

#include "apps/write-throughput/report/counter_figures.h"
#include "apps/write-throughput/report/text.h"
#include "metrics/statistics.h"

namespace throughput {
namespace {

// Counters that are printed together: those of one interval of one run, or those of the cell.
struct Section {
  bool totals = false;
  double end_seconds = 0;  // of the interval
  double wall_seconds = 0;
  bool repeated = false;  // figures have a variance
  std::vector<CounterFigure> figures;
};

bool HasIntervals(std::span<const metrics::ResultRecord> runs) {
  for (const metrics::ResultRecord& run : runs) {
    if (!run.intervals.empty()) return true;
  }
  return false;
}

std::vector<Section> Sections(std::span<const metrics::ResultRecord> runs) {
  std::vector<Section> sections;
  std::vector<double> seconds;
  const bool repeated = runs.size() > 1;
  for (const metrics::ResultRecord& run : runs) {
    seconds.push_back(run.seconds);
    double begin = 0;
    for (const metrics::Interval& interval : run.intervals) {
      sections.push_back({false, interval.end_seconds, interval.end_seconds - begin, repeated,
                          Figures(interval.counters)});
      begin = interval.end_seconds;
    }
  }
  sections.push_back({true, 0, metrics::Mean(seconds), repeated, Figures(runs)});
  return sections;
}

// The number alone, as perf cuts it from the text of the metric.
std::string CsvMetric(const CounterMetric& metric) {
  if (metric.unit.empty()) return ",";
  if (metric.form == CounterMetric::Form::kNote) return "," + metric.unit;
  const int decimals = metric.form == CounterMetric::Form::kRate ? 3 : 2;
  return Decimal(metric.value, decimals, false) + "," + metric.unit;
}

std::string CsvPrefix(const Section& section, bool has_intervals) {
  if (!has_intervals) return "";
  return section.totals ? fmt::format("{:>16},", "summary")
                        : fmt::format("{:16.9f},", section.end_seconds);
}

std::string CsvLines(const Section& section, const CounterFigure& figure,
                     const std::string& prefix) {
  const std::vector<CounterMetric> metrics = Metrics(figure, section.figures, section.wall_seconds);
  std::string text = prefix + ShownValue(figure, false) + "," + ShownUnit(figure) + "," +
                     CsvField(figure.label) + ",";
  if (section.repeated) text += fmt::format("{:.2f}%,", figure.error_percent);
  text += fmt::format("{:.0f},{:.2f},{}\n", figure.running_ns, RunningPercent(figure),
                      CsvMetric(metrics[0]));
  if (metrics.size() > 1) {
    text += prefix + (section.repeated ? ",,,,,," : ",,,,,") + CsvMetric(metrics[1]) + "\n";
  }
  return text;
}

std::string JsonValue(const CounterFigure& figure) {
  if (figure.status != metrics::CounterStatus::kCounted) return ShownValue(figure, false);
  return fmt::format("{:.6f}", Shown(figure));
}

std::string JsonMetric(const CounterMetric& metric) {
  return fmt::format(R"("metric-value" : {:.6f}, "metric-unit" : {})", metric.value,
                     JsonString(metric.unit));
}

std::string JsonLines(const Section& section, const CounterFigure& figure) {
  const std::vector<CounterMetric> metrics = Metrics(figure, section.figures, section.wall_seconds);
  const std::string prefix =
      section.totals ? "{" : fmt::format(R"({{"interval" : {:.9f}, )", section.end_seconds);
  std::string text = prefix;
  text += fmt::format(R"("counter-value" : "{}", "unit" : "{}", "event" : {}, )", JsonValue(figure),
                      ShownUnit(figure), JsonString(figure.label));
  if (section.repeated) text += fmt::format(R"("variance" : {:.2f}, )", figure.error_percent);
  text += fmt::format(R"("event-runtime" : {:.0f}, "pcnt-running" : {:.2f}, {}}})",
                      figure.running_ns, RunningPercent(figure), JsonMetric(metrics[0]));
  if (metrics.size() > 1) text += "\n" + prefix + JsonMetric(metrics[1]) + "}";
  return text + "\n";
}

}  // namespace

std::string PerfCsv(std::span<const metrics::ResultRecord> runs) {
  const bool has_intervals = HasIntervals(runs);
  std::string text;
  for (const Section& section : Sections(runs)) {
    const std::string prefix = CsvPrefix(section, has_intervals);
    for (const CounterFigure& figure : section.figures) text += CsvLines(section, figure, prefix);
  }
  return text;
}

std::string PerfJson(std::span<const metrics::ResultRecord> runs) {
  std::string text;
  for (const Section& section : Sections(runs)) {
    for (const CounterFigure& figure : section.figures) text += JsonLines(section, figure);
  }
  return text;
}

}  // namespace throughput
