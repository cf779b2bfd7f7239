// Owns the rule of which runs belong together.
#include "apps/throughput-report/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "apps/results/settings.h"
#include "apps/results/text.h"
#include "apps/throughput-report/run_checks.h"
#include "metrics/statistics.h"

namespace throughput {
namespace {

// What tells series apart, each as it would stand in a label; the first two are always compared.
using Traits = std::vector<std::string>;
constexpr size_t kSystem = 0;
constexpr size_t kMode = 1;

std::string BeyondRecord(const metrics::ResultRecord& record) {
  std::string text;
  for (const Setting& setting : SettingsBeyondRecord(record)) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", setting.name, setting.value);
  }
  return text;
}

Traits TraitsOf(const metrics::ResultRecord& record, size_t environment) {
  const bool computes_on_cpu = record.compute_us > 0 && record.compute_clock == "cpu";
  return {
      record.system,
      record.mode,
      record.hasher,
      record.in_flight > 0 ? fmt::format("{} in flight", record.in_flight) : "",
      record.value_size_bytes > 0 ? fmt::format("{} B values", record.value_size_bytes) : "",
      computes_on_cpu ? "cpu clock" : "",
      record.open_loop ? fmt::format("rate {}", record.open_loop->rate) : "",
      record.engine_version,
      BeyondRecord(record),
      fmt::format("environment {}", EnvironmentName(environment)),
  };
}

// The system, the mode where several are about, and of the rest what differs between series that
// have those two in common.
std::vector<std::string> LabelsOf(const std::vector<Traits>& series) {
  std::vector<std::string> labels;
  for (const Traits& mine : series) {
    std::string label = mine[kSystem];
    for (size_t i = kMode; i < mine.size(); ++i) {
      const bool differs = std::any_of(series.begin(), series.end(), [&](const Traits& other) {
        const bool alike = other[kSystem] == mine[kSystem] && other[kMode] == mine[kMode];
        return (i == kMode || alike) && other[i] != mine[i];
      });
      if (differs && !mine[i].empty()) label += ' ' + mine[i];
    }
    labels.push_back(Printable(label));
  }
  return labels;
}

template <typename T>
size_t IndexOf(std::vector<T>& known, const T& value) {
  const auto found = std::find(known.begin(), known.end(), value);
  if (found != known.end()) return static_cast<size_t>(found - known.begin());
  known.push_back(value);
  return known.size() - 1;
}

size_t EnvironmentIndex(std::vector<metrics::Environment>& known, metrics::Environment mine) {
  mine.arguments.clear();
  const auto key = [](const metrics::Environment& e) {
    return std::tie(e.cpu, e.cores, e.kernel, e.file_system, e.commit, e.build_type, e.libraries);
  };
  for (size_t i = 0; i < known.size(); ++i) {
    if (key(known[i]) == key(mine)) return i;
  }
  known.push_back(std::move(mine));
  return known.size() - 1;
}

class StudyBuilder {
 public:
  void Add(metrics::ResultRecord record) {
    const size_t environment = EnvironmentIndex(study_.environments, record.environment);
    IndexOf(study_.engines, Printable(record.system + " " + record.engine_version));
    IndexOf(study_.commands,
            Printable(fmt::format("{}", fmt::join(record.environment.arguments, " "))));
    if (study_.counters_note.empty()) study_.counters_note = Printable(record.counters_note);
    const size_t series = IndexOf(traits_, TraitsOf(record, environment));
    const Key key{series, record.batch_size, record.compute_us, record.threads};
    auto [place, is_new] = cells_.try_emplace(key);
    if (is_new) {
      place->second = {series, record.threads, record.batch_size, record.compute_us, {}};
    }
    place->second.runs.push_back(std::move(record));
  }

  Study Take() {
    study_.series = LabelsOf(traits_);
    for (auto& [key, cell] : cells_) study_.cells.push_back(std::move(cell));
    return std::move(study_);
  }

 private:
  using Key = std::tuple<size_t, int64_t, int64_t, int>;
  Study study_;
  std::vector<Traits> traits_;
  std::map<Key, Cell> cells_;
};

std::string RemarkOn(const std::vector<Cell>& cells) {
  const auto single = static_cast<size_t>(std::count_if(
      cells.begin(), cells.end(), [](const Cell& cell) { return cell.runs.size() == 1; }));
  if (single == 0) return "";
  if (single == cells.size()) {
    return "Every cell was run once, so there are no error bars, and a difference between two "
           "points may be the disk\u2019s. --repeat 5 shows the spread.";
  }
  return fmt::format("{} of {} were run once and have no error bar.", single,
                     Counted(cells.size(), "cell"));
}

}  // namespace

Spread SpreadOf(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {values.size(), metrics::Median(values), *low, *high};
}

Result<Study> StudyOf(std::vector<ReadRun> runs) {
  if (runs.empty()) return Refused("no run to report");
  StudyBuilder builder;
  UnitCheck units;
  for (ReadRun& run : runs) {
    if (auto fits = units.Accept(run.record, run.where); !fits) {
      return tl::unexpected(fits.error());
    }
    builder.Add(std::move(run.record));
  }
  Study study = builder.Take();
  study.instructions_unit = units.unit();
  study.remark = RemarkOn(study.cells);
  return study;
}

Spread RateOf(const Cell& cell) {
  std::vector<double> rates;
  for (const metrics::ResultRecord& run : cell.runs) rates.push_back(run.rows_per_second);
  return SpreadOf(rates);
}

std::optional<Spread> CounterPerRow(const Cell& cell, const std::string& event) {
  std::vector<double> values;
  for (const metrics::ResultRecord& run : cell.runs) {
    if (const auto* reading = CountedReading(run, event)) {
      values.push_back(reading->value / static_cast<double>(run.rows));
    }
  }
  if (values.empty()) return std::nullopt;
  return SpreadOf(values);
}

}  // namespace throughput
