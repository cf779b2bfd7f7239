// Owns the mean over runs and how a counter's value is written. Stateless.
#include "apps/write-throughput/report/counter_figures.h"

#include <algorithm>

#include "apps/write-throughput/report/text.h"
#include "metrics/statistics.h"

namespace throughput {
namespace {

using metrics::CounterReading;
using metrics::CounterStatus;

double ErrorPercent(std::span<const double> values, double mean) {
  return mean == 0 ? 0 : 100 * metrics::StandardError(values) / mean;
}

CounterFigure Combine(std::span<const CounterReading* const> readings, int runs) {
  const CounterReading& first = *readings.front();
  CounterFigure figure;
  figure.kind = CounterKind(first);
  figure.modifiers = first.modifiers;
  figure.source = first.source;
  figure.label = CounterLabel(first);
  figure.status = first.status;
  figure.runs = runs;
  std::vector<double> values;
  bool suspect = false;
  for (const CounterReading* reading : readings) {
    suspect = suspect || reading->status == CounterStatus::kSuspect;
    if (reading->status != CounterStatus::kCounted) {
      if (figure.cause.empty()) figure.cause = reading->cause;
    } else {
      values.push_back(reading->value);
    }
  }
  for (const CounterReading* reading : readings) {
    if (!values.empty() && reading->status != CounterStatus::kCounted) continue;
    const double weight =
        1.0 / static_cast<double>(values.empty() ? readings.size() : values.size());
    figure.enabled_ns += static_cast<double>(reading->enabled_ns) * weight;
    figure.running_ns += static_cast<double>(reading->running_ns) * weight;
  }
  figure.runs_counted = static_cast<int>(values.size());
  if (!values.empty()) {
    figure.status = CounterStatus::kCounted;
    figure.value = metrics::Mean(values);
    figure.error_percent = ErrorPercent(values, figure.value);
  }
  if (suspect) figure.status = CounterStatus::kSuspect;
  return figure;
}

const CounterReading* Find(const std::vector<CounterReading>& readings, const std::string& label) {
  const auto found =
      std::find_if(readings.begin(), readings.end(),
                   [&](const CounterReading& reading) { return CounterLabel(reading) == label; });
  return found == readings.end() ? nullptr : &*found;
}

}  // namespace

std::string CounterLabel(const CounterReading& reading) {
  return reading.modifiers.empty() ? reading.event : reading.event + ":" + reading.modifiers;
}

std::string CounterKind(const CounterReading& reading) {
  return reading.generic.empty() ? reading.event : reading.generic;
}

std::vector<CounterFigure> Figures(std::span<const metrics::ResultRecord> runs) {
  std::vector<CounterFigure> figures;
  if (runs.empty()) return figures;
  for (const CounterReading& first : runs.front().counters) {
    std::vector<const CounterReading*> readings = {&first};
    for (const metrics::ResultRecord& run : runs.subspan(1)) {
      const CounterReading* reading = Find(run.counters, CounterLabel(first));
      if (reading != nullptr) readings.push_back(reading);
    }
    figures.push_back(Combine(readings, static_cast<int>(runs.size())));
  }
  return figures;
}

std::vector<CounterFigure> Figures(const std::vector<CounterReading>& readings) {
  std::vector<CounterFigure> figures;
  for (const CounterReading& reading : readings) {
    const CounterReading* one = &reading;
    figures.push_back(Combine(std::span(&one, 1), 1));
  }
  return figures;
}

metrics::ProcessSpan CountedSpan(const metrics::ResultRecord& run) {
  return run.process.value_or(
      metrics::ProcessSpan{run.seconds, run.user_seconds, run.system_seconds});
}

bool IsClock(std::string_view kind) { return kind == "task-clock" || kind == "cpu-clock"; }

double Shown(const CounterFigure& figure) {
  return IsClock(figure.kind) ? figure.value * 1e-6 : figure.value;
}

std::string ShownUnit(const CounterFigure& figure) { return IsClock(figure.kind) ? "msec" : ""; }

std::string ShownValue(const CounterFigure& figure, bool big_numbers) {
  switch (figure.status) {
    case CounterStatus::kCounted:
      return Decimal(Shown(figure), IsClock(figure.kind) ? 2 : 0, big_numbers);
    case CounterStatus::kNotCounted:
      return "<not counted>";
    case CounterStatus::kNotSupported:
      return "<not supported>";
    case CounterStatus::kSuspect:
      return "<suspect>";
  }
  return "";
}

double RunningPercent(const CounterFigure& figure) {
  return figure.enabled_ns == 0 ? 100 : 100 * figure.running_ns / figure.enabled_ns;
}

}  // namespace throughput
