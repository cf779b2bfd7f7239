// The JSON form of a ResultRecord. The list of fields stands here once, in Fields: the writer and
// the reader both walk it, so that they cannot differ.
#include "metrics/result_record.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>

namespace metrics {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<CounterStatus, std::string_view>, 4> kStatusNames = {{
    {CounterStatus::kCounted, "counted"},
    {CounterStatus::kNotCounted, "not counted"},
    {CounterStatus::kNotSupported, "not supported"},
    {CounterStatus::kSuspect, "suspect"},
}};

// Calls field(name, member) for each member in the order of the JSON form, field.Added for one that
// lines of earlier programs have not.
template <typename Reading, typename Field>
void ReadingFields(Reading& reading, Field&& field) {
  field("event", reading.event);
  field("modifiers", reading.modifiers);
  field("generic", reading.generic);
  field("hardware", reading.hardware);
  field("status", reading.status);
  field("value", reading.value);
  field("enabled_ns", reading.enabled_ns);
  field("running_ns", reading.running_ns);
  field("source", reading.source);
  field("cause", reading.cause);
  field("asked_by_name", reading.asked_by_name);
}

template <typename Part, typename Field>
void ThreadFields(Part& thread, Field&& field) {
  field("name", thread.name);
  field("counters", thread.counters);
}

template <typename Part, typename Field>
void PhaseFields(Part& phase, Field&& field) {
  field("phase", phase.phase);
  field("seconds", phase.seconds);
  field("counted", phase.counted);
  field("instructions", phase.instructions);
  field("cycles", phase.cycles);
}

template <typename Part, typename Field>
void IntervalFields(Part& interval, Field&& field) {
  field("end_seconds", interval.end_seconds);
  field("rows", interval.rows);
  field("counters", interval.counters);
  field.Added("checkpoint", interval.checkpoint);
  field.Added("merge", interval.merge);
  field.Added("stall", interval.stall);
}

template <typename Part, typename Field>
void BackgroundFields(Part& background, Field&& field) {
  field("checkpoints", background.checkpoints);
  field("merges", background.merges);
  field("bytes_written", background.bytes_written);
  field("cpu_ns", background.cpu_ns);
  field("stalls", background.stalls);
  field("stall_ns", background.stall_ns);
  field("longest_stall_ns", background.longest_stall_ns);
  field("longest_sync_ns", background.longest_sync_ns);
}

template <typename Part, typename Field>
void OpenLoopFields(Part& open_loop, Field&& field) {
  field("rate", open_loop.rate);
  field("service_ns", open_loop.service_ns);
  field("backlog_most", open_loop.backlog_most);
  field("backlog_last", open_loop.backlog_last);
  field("saturated", open_loop.saturated);
}

template <typename Part, typename Field>
void EnvironmentFields(Part& environment, Field&& field) {
  field("cpu", environment.cpu);
  field("cores", environment.cores);
  field("kernel", environment.kernel);
  field("file_system", environment.file_system);
  field("commit", environment.commit);
  field("build_type", environment.build_type);
  field("arguments", environment.arguments);
  field("libraries", environment.libraries);
}

template <typename Record, typename Field>
void CellFields(Record& record, Field&& field) {
  field("system", record.system);
  field("engine_version", record.engine_version);
  field("threads", record.threads);
  field("batch_size", record.batch_size);
  field("compute_us", record.compute_us);
  field("compute_clock", record.compute_clock);
  field("mode", record.mode);
  field("hasher", record.hasher);
  field.Added("engine_io", record.engine_io);
  field("in_flight", record.in_flight);
  field("value_size_bytes", record.value_size_bytes);
  field("cell", record.cell);
  field("repeat", record.repeat);
}

template <typename Record, typename Field>
void WindowFields(Record& record, Field&& field) {
  field("interrupted", record.interrupted);
  field("rows", record.rows);
  field("transactions", record.transactions);
  field("seconds", record.seconds);
  field("user_seconds", record.user_seconds);
  field("system_seconds", record.system_seconds);
  field("rows_per_second", record.rows_per_second);
  field("start_skew_us", record.start_skew_us);
  field("rows_per_thread", record.rows_per_thread);
  field("commit_latency_ns", record.commit_latency_ns);
  field("retries", record.retries);
  field("conflicts", record.conflicts);
  field("in_doubt", record.in_doubt);
  field("syncs", record.syncs);
  field("bytes_written", record.bytes_written);
  field("bytes_prepared", record.bytes_prepared);
  field.Added("background", record.background);
  field("counters", record.counters);
  field("counters_note", record.counters_note);
  field("intervals", record.intervals);
  field("open_loop", record.open_loop);
}

template <typename Record, typename Field>
void AddedFields(Record& record, Field&& field) {
  field.Added("engine_library", record.engine_library);
  field.Added("engine_source_id", record.engine_source_id);
  field.Added("busy_waits", record.busy_waits);
  field.Added("row_bytes", record.row_bytes);
  field.Added("os_syncs", record.os_syncs);
  field.Added("os_range_syncs", record.os_range_syncs);
  field.Added("os_writes", record.os_writes);
  field.Added("os_bytes_written", record.os_bytes_written);
  field.Added("sync_latency_ns", record.sync_latency_ns);
  field.Added("device_flushes", record.device_flushes);
  field.Added("durability", record.durability);
  field.Added("durability_note", record.durability_note);
  field.Added("limit_rows_per_second", record.limit_rows_per_second);
  field.Added("harness_percent", record.harness_percent);
  field.Added("thread_counters", record.thread_counters);
  field.Added("phases", record.phases);
  field.Added("phase_overhead_percent", record.phase_overhead_percent);
  field.Added("phases_note", record.phases_note);
}

template <typename Record, typename Field>
void Fields(Record& record, Field&& field) {
  CellFields(record, field);
  WindowFields(record, field);
  field("verified", record.verified);
  field("rows_verified", record.rows_verified);
  AddedFields(record, field);
  field("environment", record.environment);
}

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

// Decimal digits only; false when there are others or none, or the number has over 128 bits.
bool ParseWhole(std::string_view digits, Uint128& value) {
  constexpr Uint128 kMost = ~Uint128{0};
  value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    const auto digit = static_cast<unsigned>(c - '0');
    if (value > (kMost - digit) / 10) return false;
    value = value * 10 + digit;
  }
  return !digits.empty();
}

// Reads members out of an object; the first error stands, and nothing is read after it.
class Reader {
 public:
  Reader(const Json& object, std::string path, std::string& error)
      : object_(object), path_(std::move(path)), error_(error) {
    if (!object_.is_object()) Refuse(path_.empty() ? "the line" : path_, "an object");
  }

  template <typename T>
  void operator()(const char* name, T& value) {
    if (!error_.empty()) return;
    const std::string path = path_.empty() ? name : path_ + "." + name;
    const auto found = object_.find(name);
    if (found == object_.end()) {
      error_ = fmt::format("{} is missing", path);
    } else {
      Read(*found, path, value);
    }
  }
  // A member that lines of older versions lack.
  template <typename T>
  void Added(const char* name, T& value) {
    if (object_.is_object() && object_.contains(name)) (*this)(name, value);
  }

  // What need not be there.
  template <typename T>
  void operator()(const char* name, std::optional<T>& value) {
    if (object_.is_object() && object_.contains(name)) (*this)(name, value.emplace());
  }

 private:
  void Refuse(const std::string& path, std::string_view allowed) {
    if (error_.empty()) error_ = fmt::format("{} is not {}", path, allowed);
  }

  void Read(const Json& json, const std::string& path, std::string& value) {
    if (!json.is_string()) return Refuse(path, "a string");
    value = json.get<std::string>();
  }
  void Read(const Json& json, const std::string& path, bool& value) {
    if (!json.is_boolean()) return Refuse(path, "true or false");
    value = json.get<bool>();
  }
  void Read(const Json& json, const std::string& path, double& value) {
    if (!json.is_number()) return Refuse(path, "a number");
    value = json.get<double>();
  }
  template <typename T>
  requires std::is_integral_v<T>
  void Read(const Json& json, const std::string& path, T& value) {
    using Limits = std::numeric_limits<T>;
    const bool fits = json.is_number_unsigned()
                          ? json.get<uint64_t>() <= static_cast<uint64_t>(Limits::max())
                          : json.is_number_integer() && std::is_signed_v<T> &&
                                json.get<int64_t>() >= static_cast<int64_t>(Limits::min());
    if (!fits) {
      return Refuse(path,
                    fmt::format("a whole number from {} to {}", Limits::min(), Limits::max()));
    }
    value = json.get<T>();
  }
  void Read(const Json& json, const std::string& path, CounterStatus& value) {
    for (const auto& [status, name] : kStatusNames) {
      if (json == name) {
        value = status;
        return;
      }
    }
    Refuse(path, "a counter's status");
  }
  template <typename T>
  void Read(const Json& json, const std::string& path, std::vector<T>& values) {
    if (!json.is_array()) return Refuse(path, "an array");
    values.assign(json.size(), T());
    for (size_t i = 0; i < values.size(); ++i) {
      Read(json[i], fmt::format("{}[{}]", path, i), values[i]);
    }
  }
  void Read(const Json& json, const std::string& path,
            std::vector<std::pair<std::string, std::string>>& pairs) {
    if (!json.is_object()) return Refuse(path, "an object");
    pairs.clear();
    for (const auto& [name, value] : json.items()) {
      pairs.emplace_back(name, std::string());
      Read(value, path + "." + name, pairs.back().second);
    }
  }
  void Read(const Json& json, const std::string& path, CounterReading& value) {
    ReadingFields(value, Reader(json, path, error_));
  }
  void Read(const Json& json, const std::string& path, ThreadReadings& value) {
    ThreadFields(value, Reader(json, path, error_));
  }
  void Read(const Json& json, const std::string& path, PhaseFigures& value) {
    PhaseFields(value, Reader(json, path, error_));
  }
  void Read(const Json& json, const std::string& path, Interval& value) {
    IntervalFields(value, Reader(json, path, error_));
  }
  void Read(const Json& json, const std::string& path, OpenLoop& value) {
    OpenLoopFields(value, Reader(json, path, error_));
  }
  void Read(const Json& json, const std::string& path, Background& value) {
    BackgroundFields(value, Reader(json, path, error_));
  }
  void Read(const Json& json, const std::string& path, Environment& value) {
    EnvironmentFields(value, Reader(json, path, error_));
  }
  void Read(const Json& json, const std::string& path, Histogram& value);

  const Json& object_;
  std::string path_;
  std::string& error_;
};

void Reader::Read(const Json& json, const std::string& path, Histogram& value) {
  Reader reader(json, path, error_);
  int64_t min = 0;
  int64_t max = 0;
  std::string sum_digits;
  std::vector<std::vector<uint64_t>> pairs;
  reader("min", min);
  reader("max", max);
  reader("sum", sum_digits);
  reader("buckets", pairs);
  if (!error_.empty()) return;

  Uint128 sum = 0;
  if (!ParseWhole(sum_digits, sum)) return Refuse(path + ".sum", "a whole number in a string");
  std::vector<Histogram::Bucket> buckets;
  for (const std::vector<uint64_t>& pair : pairs) {
    if (pair.size() != 2 || pair[0] > std::numeric_limits<int64_t>::max()) {
      return Refuse(path + ".buckets", "a list of pairs of lowest value and count");
    }
    buckets.push_back({static_cast<int64_t>(pair[0]), pair[1]});
  }
  auto histogram = Histogram::FromBuckets(buckets, min, max, sum);
  if (histogram) {
    value = *std::move(histogram);
  } else {
    error_ = fmt::format("{}: {}", path, histogram.error());
  }
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

bool FromJson(const std::string& line, ResultRecord& record, std::string& error) {
  error.clear();
  Json json;
  try {
    json = Json::parse(line);
  } catch (const Json::parse_error& failure) {
    error = fmt::format("not a whole line of JSON: wrong at byte {}", failure.byte);
    return false;
  } catch (const Json::exception&) {
    error = "a number in it is out of range";
    return false;
  }

  ResultRecord read;
  int version = 0;
  Reader reader(json, "", error);
  reader("schema_version", version);
  if (error.empty() && version != kSchemaVersion) {
    error =
        fmt::format("schema_version {} is unknown: this program reads {}", version, kSchemaVersion);
  }
  Fields(read, reader);
  if (!error.empty()) return false;
  record = std::move(read);
  return true;
}

}  // namespace metrics
