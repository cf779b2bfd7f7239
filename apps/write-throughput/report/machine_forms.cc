// Owns the fields of the machine forms. Stateless.
#include "apps/write-throughput/report/machine_forms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "apps/write-throughput/report/counter_figures.h"
#include "apps/write-throughput/report/notes.h"
#include "apps/write-throughput/report/phase_lines.h"
#include "apps/write-throughput/report/text.h"
#include "metrics/statistics.h"

namespace throughput {
namespace {

using Runs = std::span<const metrics::ResultRecord>;

// Counters that are printed together: those of one interval or one thread of one run, or those of
// the cell.
struct Section {
  std::vector<CounterFigure> figures;
  double wall_seconds = 0;
  bool repeated = false;              // figures have a variance
  int run = 0;                        // 0: of all of them
  std::optional<double> end_seconds;  // of the interval
  std::string thread;
};

// Which fields stand in front of a line.
struct Prefixes {
  bool times = false;
  bool threads = false;
};

std::vector<Section> Intervals(Runs runs) {
  std::vector<Section> sections;
  for (const metrics::ResultRecord& run : runs) {
    double begin = 0;
    for (const metrics::Interval& interval : run.intervals) {
      sections.push_back({Figures(interval.counters), interval.end_seconds - begin, runs.size() > 1,
                          run.repeat, interval.end_seconds, ""});
      begin = interval.end_seconds;
    }
  }
  return sections;
}

Section Totals(Runs runs) {
  std::vector<double> seconds;
  for (const metrics::ResultRecord& run : runs) seconds.push_back(CountedSpan(run).seconds);
  return {Figures(runs), metrics::Mean(seconds), runs.size() > 1, 0, std::nullopt, ""};
}

std::vector<Section> Threads(Runs runs) {
  std::vector<Section> sections;
  for (const metrics::ResultRecord& run : runs) {
    for (const metrics::ThreadReadings& thread : run.thread_counters) {
      sections.push_back({Figures(thread.counters), run.seconds, runs.size() > 1, run.repeat,
                          std::nullopt, thread.name});
    }
  }
  return sections;
}

std::vector<Section> Sections(Runs runs) {
  std::vector<Section> sections = Intervals(runs);
  sections.push_back(Totals(runs));
  for (Section& thread : Threads(runs)) sections.push_back(std::move(thread));
  return sections;
}

Prefixes PrefixesOf(const std::vector<Section>& sections) {
  Prefixes prefixes;
  for (const Section& section : sections) {
    prefixes.times = prefixes.times || section.end_seconds;
    prefixes.threads = prefixes.threads || !section.thread.empty();
  }
  return prefixes;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::vector<std::string> Notes(Runs runs) {
  const int as_many_as_came = static_cast<int>(runs.size());
  return Lines(RunNotes(runs, as_many_as_came) + CounterNotes(runs));
}

std::string Command(const std::vector<std::string>& arguments) {
  return fmt::format("{}", fmt::join(arguments, " "));
}

// The number alone, as perf cuts it from the text of the metric.
std::string CsvMetric(const CounterMetric& metric) {
  if (metric.unit.empty()) return ",";
  if (metric.form == CounterMetric::Form::kNote) return "," + metric.unit;
  const int decimals = metric.form == CounterMetric::Form::kRate ? 3 : 2;
  return Decimal(metric.value, decimals, false) + "," + metric.unit;
}

std::string CsvPrefix(const Section& section, Prefixes prefixes) {
  std::string text;
  if (prefixes.times) {
    text += section.end_seconds ? fmt::format("{:16.9f},", *section.end_seconds)
                                : fmt::format("{:>16},", "summary");
  }
  if (prefixes.threads) text += CsvField(section.thread.empty() ? "summary" : section.thread) + ",";
  return text;
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

std::string JsonPrefix(const Section& section) {
  std::string text = "{";
  if (section.end_seconds) text += fmt::format(R"("interval" : {:.9f}, )", *section.end_seconds);
  if (!section.thread.empty())
    text += fmt::format(R"("thread" : {}, )", JsonString(section.thread));
  return text;
}

// Behind perf's own fields.
std::string JsonSuffix(const Section& section, int cell) {
  const bool of_one_run = section.repeated && section.run > 0;
  return fmt::format(R"(, "cell" : {}{}}})", cell,
                     of_one_run ? fmt::format(R"(, "run" : {})", section.run) : "");
}

std::string JsonLines(const Section& section, const CounterFigure& figure, int cell) {
  const std::vector<CounterMetric> metrics = Metrics(figure, section.figures, section.wall_seconds);
  const std::string prefix = JsonPrefix(section);
  const std::string suffix = JsonSuffix(section, cell) + "\n";
  std::string text = prefix;
  text += fmt::format(R"("counter-value" : "{}", "unit" : "{}", "event" : {}, )", JsonValue(figure),
                      ShownUnit(figure), JsonString(figure.label));
  if (section.repeated) text += fmt::format(R"("variance" : {:.2f}, )", figure.error_percent);
  text += fmt::format(R"("event-runtime" : {:.0f}, "pcnt-running" : {:.2f}, {})", figure.running_ns,
                      RunningPercent(figure), JsonMetric(metrics[0]));
  if (!figure.cause.empty()) text += fmt::format(R"(, "cause" : {})", JsonString(figure.cause));
  text += suffix;
  if (metrics.size() > 1) text += prefix + JsonMetric(metrics[1]) + suffix;
  return text;
}

std::string JsonNote(const std::string& note, int cell) {
  return fmt::format(R"({{"note" : {}, "cell" : {}}})", JsonString(note), cell) + "\n";
}

std::string JsonPhases(Runs runs, int cell) {
  std::string text;
  for (const PhaseCosts& phase : PhasesPerRow(runs)) {
    text += fmt::format(R"({{"phase" : {}, "nsec-per-row" : {:.6f}, )", JsonString(phase.name),
                        phase.ns);
    if (phase.counted) {
      text += fmt::format(R"("instructions-per-row" : {:.6f}, "cycles-per-row" : {:.6f}, )",
                          phase.instructions, phase.cycles);
    }
    text += fmt::format(R"("cell" : {}}})", cell) + "\n";
  }
  if (!text.empty()) text += JsonNote(runs.front().phases_note, cell);
  return text;
}

}  // namespace

std::string PerfCsv(Runs runs, const std::vector<std::string>& arguments) {
  const std::vector<Section> sections = Sections(runs);
  const Prefixes prefixes = PrefixesOf(sections);
  std::string text =
      fmt::format("# cell {}: {}\n", runs.front().cell, PrintableLine(Command(arguments)));
  int run = 0;
  for (const Section& section : sections) {
    if (section.repeated && section.run != run) {
      text += section.run == 0 ? "# all runs\n" : fmt::format("# run {}\n", section.run);
    }
    run = section.run;
    const std::string prefix = CsvPrefix(section, prefixes);
    for (const CounterFigure& figure : section.figures) text += CsvLines(section, figure, prefix);
  }
  for (const std::string& line : Lines(PhaseLines(runs, false))) text += "#" + line + "\n";
  for (const std::string& line : Notes(runs)) text += "#" + line + "\n";
  return text;
}

std::string PerfJson(Runs runs, const std::vector<std::string>& arguments) {
  const int cell = runs.front().cell;
  std::string text =
      fmt::format(R"({{"cell" : {}, "command" : {}}})", cell, JsonString(Command(arguments))) +
      "\n";
  for (const Section& section : Sections(runs)) {
    for (const CounterFigure& figure : section.figures) text += JsonLines(section, figure, cell);
  }
  text += JsonPhases(runs, cell);
  for (const std::string& line : Notes(runs)) text += JsonNote(line.substr(1), cell);
  return text;
}

}  // namespace throughput
