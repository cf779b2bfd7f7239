// What is shown of a counter (metrics/counter_selection.h decides which are): its mean over the
// runs of a cell with the standard error, and the metrics perf stat derives from it (Linux 6.1,
// tools/perf/util/stat-shadow.c, for the formulas). Thread rule: pure functions of values.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/counter_reading.h"
#include "metrics/result_record.h"

namespace throughput {

struct CounterFigure {
  std::string label;      // as asked for: "cpu-cycles:u"
  std::string kind;       // what it is, whatever it was asked for as: "cycles"
  std::string modifiers;  // "u"
  std::string source;     // as in CounterReading
  metrics::CounterStatus status = metrics::CounterStatus::kCounted;
  double value = 0;          // mean of the runs that counted; clocks in ns
  double error_percent = 0;  // standard error of that mean / mean × 100; 0 for one run
  double enabled_ns = 0;     // means over the same runs
  double running_ns = 0;
  int runs = 0;          // of the cell
  int runs_counted = 0;  // that `value` is the mean of
  std::string cause;     // of the first run that did not count
};

// One figure for each counter of the first run, in its order; later runs join by label. The status
// is suspect when one run's is, counted when one run counted, else that of the first run.
std::vector<CounterFigure> Figures(std::span<const metrics::ResultRecord> runs);
std::vector<CounterFigure> Figures(const std::vector<metrics::CounterReading>& readings);

// What the counters of a run cover: its window, or the whole process.
metrics::ProcessSpan CountedSpan(const metrics::ResultRecord& run);

bool IsClock(std::string_view kind);                 // task-clock, cpu-clock: in ns, shown in msec
double Shown(const CounterFigure& figure);           // the value in the unit it is shown in
std::string ShownUnit(const CounterFigure& figure);  // "msec" or nothing
std::string ShownValue(const CounterFigure& figure, bool big_numbers);  // or "<not counted>", ...
double RunningPercent(const CounterFigure& figure);  // 100 where it was never enabled

std::string CounterLabel(const metrics::CounterReading& reading);  // "cpu-cycles:u"
std::string CounterKind(const metrics::CounterReading& reading);   // "cycles"

struct CounterMetric {
  enum class Form {
    kRate,     // %8.3f
    kRatio,    // %7.2f and a blank
    kPercent,  // %7.2f%%
    kNote,     // the unit alone
  };
  double value = 0;
  Form form = Form::kRate;
  std::string unit;  // "K/sec"; empty: there is no metric
};

// What stands behind "#" for `figure`, one of `all`: one metric, for instructions at times two.
// Ratios pair equal modifiers only; rates (/sec, GHz) take the task-clock whatever its modifiers,
// its own first. `wall_seconds` is the window's. What callgrind simulated is marked as such, and
// has no rate, as its instructions ran in another time.
std::vector<CounterMetric> Metrics(const CounterFigure& figure, std::span<const CounterFigure> all,
                                   double wall_seconds);

// "  24.41% frontend cycles idle": the number in perf's width, a blank, the unit; nothing without
// one.
std::string MetricText(const CounterMetric& metric);

}  // namespace throughput
