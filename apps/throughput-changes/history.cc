// Owns the form of a history line; history_checker.cc owns what lines must have in common.
#include "apps/throughput-changes/history.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/results/files.h"
#include "apps/results/text.h"

namespace throughput {
namespace {

using Json = nlohmann::json;

// Takes fields out of one JSON object and keeps the first thing that is wrong with it.
class FieldReader {
 public:
  FieldReader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {}

  std::string Text(const char* field, bool may_be_empty) {
    const Json* value = Find(field);
    if (value == nullptr) return {};
    if (!value->is_string()) return Wrong(field, "text"), std::string();
    auto text = value->get<std::string>();
    if (text.empty() && !may_be_empty) Wrong(field, "text that is not empty");
    return text;
  }

  int64_t Whole(const char* field, int64_t first, int64_t last) {
    const Json* value = Find(field);
    if (value == nullptr) return 0;
    const bool in_range = value->is_number_integer() && *value >= first && *value <= last;
    if (!in_range) Wrong(field, fmt::format("a whole number from {} to {}", first, last));
    return in_range ? value->get<int64_t>() : 0;
  }

  double Number(const char* field) {
    const Json* value = Find(field);
    if (value == nullptr) return 0;
    const double number = value->is_number() ? value->get<double>() : std::nan("");
    if (!(std::abs(number) <= kMaxValue)) {
      Wrong(field, fmt::format("a finite number up to {} in size", kMaxValue));
    }
    return number;
  }

  const Json* List(const char* field) {
    const Json* value = Find(field);
    if (value != nullptr && (!value->is_array() || value->empty())) {
      Wrong(field, "a list that is not empty");
      return nullptr;
    }
    return value;
  }

  void Wrong(const char* field, std::string_view wanted) {
    if (!failure_) failure_ = fmt::format("{}: \"{}\" has to be {}", where_, field, wanted);
  }

  const std::optional<std::string>& failure() const { return failure_; }

 private:
  const Json* Find(const char* field) {
    const auto found = object_.find(field);
    if (found != object_.end()) return &*found;
    if (!failure_) failure_ = fmt::format("{}: \"{}\" is missing", where_, field);
    return nullptr;
  }

  const Json& object_;
  std::string where_;
  std::optional<std::string> failure_;
};

Result<Metric> MetricOf(const Json& object, const std::string& where) {
  if (!object.is_object()) return Refused(where + ": a metric has to be an object");
  FieldReader reader(object, where);
  Metric metric;
  metric.name = reader.Text("name", false);
  metric.unit = reader.Text("unit", true);
  const std::string better = reader.Text("better", false);
  metric.better = better == NameOf(Better::kHigher) ? Better::kHigher : Better::kLower;
  if (better != NameOf(metric.better)) reader.Wrong("better", "\"higher\" or \"lower\"");
  metric.value = reader.Number("value");
  if (reader.failure()) return Refused(*reader.failure());
  return metric;
}

Result<void> CheckVersion(const Json& object, const std::string& where) {
  const auto version = object.find("history_version");
  if (version == object.end()) {
    return Refused(where + ": not a line of a history (no \"history_version\")");
  }
  if (*version != kHistoryVersion) {
    return Refused(fmt::format("{}: history_version {} is not known, only {}", where,
                               version->dump(-1, ' ', true), kHistoryVersion));
  }
  return {};
}

Result<RecordedRun> RunOf(const Json& object, const std::string& where) {
  if (const auto version = CheckVersion(object, where); !version) {
    return tl::unexpected(version.error());
  }
  FieldReader reader(object, where);
  RecordedRun run;
  run.commit = reader.Text("commit", false);
  run.time = reader.Whole("time", 0, kLatestTime);
  run.branch = reader.Text("branch", false);
  run.repository = reader.Text("repository", true);
  run.test = reader.Text("test", false);
  run.run = static_cast<int>(reader.Whole("run", 1, 1'000'000));
  run.machine = reader.Text("machine", true);
  const Json* metrics = reader.List("metrics");
  if (reader.failure()) return Refused(*reader.failure());
  for (const Json& item : *metrics) {
    auto metric = MetricOf(item, where);
    if (!metric) return tl::unexpected(metric.error());
    run.metrics.push_back(*std::move(metric));
  }
  return run;
}

}  // namespace

std::string FormatRun(const RecordedRun& run) {
  nlohmann::ordered_json line;
  line["history_version"] = kHistoryVersion;
  line["commit"] = run.commit;
  line["time"] = run.time;
  line["branch"] = run.branch;
  line["repository"] = run.repository;
  line["test"] = run.test;
  line["run"] = run.run;
  line["machine"] = run.machine;
  for (const Metric& metric : run.metrics) {
    line["metrics"].push_back({{"name", metric.name},
                               {"unit", metric.unit},
                               {"better", NameOf(metric.better)},
                               {"value", metric.value}});
  }
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Result<std::vector<RecordedRun>> ParseHistory(std::string_view text, const std::string& path,
                                              HistoryChecker& checker) {
  const std::vector<std::string_view> lines = SplitLines(text);
  if (IsBlank(text)) return Refused(Printable(path) + ": is empty: it holds no run");
  std::vector<RecordedRun> runs;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string where = fmt::format("{} line {}", Printable(path), i + 1);
    const Json object = Json::parse(lines[i], nullptr, /*allow_exceptions=*/false);
    if (!object.is_object()) {
      const bool cut = i + 1 == lines.size() && text.back() != '\n';
      return Refused(where + (cut ? ": cut short" : ": not a JSON object"));
    }
    auto run = RunOf(object, where);
    if (!run) return tl::unexpected(run.error());
    if (const auto fits = checker.Accept(*run, where); !fits) return tl::unexpected(fits.error());
    runs.push_back(*std::move(run));
  }
  return runs;
}

}  // namespace throughput
