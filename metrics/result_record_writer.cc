// ToJson of result_record.h.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "metrics/result_record_fields.h"

namespace metrics {
namespace {

using Json = nlohmann::ordered_json;

class Writer {
 public:
  template <typename T>
  void operator()(const char* name, const T& value) {
    object_[name] = Value(value);
  }
  template <typename T>
  void Added(const char* name, const T& value) {
    (*this)(name, value);
  }
  template <typename T>
  void operator()(const char* name, const std::optional<T>& value) {
    if (value) object_[name] = Value(*value);
  }
  Json Take() { return std::move(object_); }

  static Json Value(const CounterReading& reading) {
    Writer writer;
    ReadingFields(reading, writer);
    return writer.Take();
  }

 private:
  template <typename T>
  static Json Value(const T& value) {
    return value;  // a number that is not finite becomes null
  }
  static Json Value(CounterStatus status) {
    return kStatusNames[static_cast<size_t>(status)].second;
  }
  template <typename T>
  static Json Value(const std::vector<T>& values) {
    Json array = Json::array();
    for (const T& value : values) array.push_back(Value(value));
    return array;
  }
  static Json Value(const std::vector<std::pair<std::string, std::string>>& pairs) {
    Json object = Json::object();
    for (const auto& [name, value] : pairs) object[name] = value;
    return object;
  }
  static Json Value(const Histogram& histogram) {
    Json buckets = Json::array();
    for (const Histogram::Bucket& bucket : histogram.Buckets()) {
      buckets.push_back(Json::array({bucket.lowest, bucket.count}));
    }
    return {{"count", histogram.Count()},
            {"min", histogram.min()},
            {"max", histogram.max()},
            {"sum", fmt::to_string(histogram.sum())},  // a string, as it has up to 128 bits
            {"buckets", std::move(buckets)}};
  }
  static Json Value(const ThreadReadings& thread) {
    Writer writer;
    ThreadFields(thread, writer);
    return writer.Take();
  }
  static Json Value(const PhaseFigures& phase) {
    Writer writer;
    PhaseFields(phase, writer);
    return writer.Take();
  }
  static Json Value(const Interval& interval) {
    Writer writer;
    IntervalFields(interval, writer);
    return writer.Take();
  }
  static Json Value(const OpenLoop& open_loop) {
    Writer writer;
    OpenLoopFields(open_loop, writer);
    return writer.Take();
  }
  static Json Value(const ProcessSpan& process) {
    Writer writer;
    ProcessFields(process, writer);
    return writer.Take();
  }
  static Json Value(const Background& background) {
    Writer writer;
    BackgroundFields(background, writer);
    return writer.Take();
  }
  static Json Value(const Environment& environment) {
    Writer writer;
    EnvironmentFields(environment, writer);
    return writer.Take();
  }

  Json object_ = Json::object();
};

// Figures for readers that FromJson leaves out, as they follow from the others.
Json LatencyPercentiles(const Histogram& latency_ns) {
  Json percentiles = Json::object();
  if (latency_ns.empty()) return percentiles;
  for (const auto& [name, percent] :
       {std::pair{"p50", 50.0}, {"p90", 90.0}, {"p99", 99.0}, {"p99.9", 99.9}, {"max", 100.0}}) {
    percentiles[name] = static_cast<double>(latency_ns.Percentile(percent)) / 1000;
  }
  return percentiles;
}

Json CostsPer(int64_t divisor, const ResultRecord& record) {
  Json costs = Json::object();
  if (divisor <= 0) return costs;
  const auto count = static_cast<double>(divisor);
  costs["syncs"] = static_cast<double>(record.syncs) / count;
  costs["bytes_written"] = static_cast<double>(record.bytes_written) / count;
  for (const CounterReading& reading : record.counters) {
    if (reading.status != CounterStatus::kCounted) continue;
    const char* separator = reading.modifiers.empty() ? "" : ":";
    costs[reading.event + separator + reading.modifiers] = reading.value / count;
  }
  return costs;
}

}  // namespace

std::string ToJson(const ResultRecord& record) {
  Writer writer;
  writer("schema_version", kSchemaVersion);
  Fields(record, writer);
  writer("commit_latency_us", LatencyPercentiles(record.commit_latency_ns));
  writer("per_row", CostsPer(record.rows, record));
  writer("per_transaction", CostsPer(record.transactions, record));
  return writer.Take().dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace metrics
