// FromJson of result_record.h.
#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "metrics/result_record_fields.h"

namespace metrics {
namespace {

using Json = nlohmann::ordered_json;

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
  void Read(const Json& json, const std::string& path, ProcessSpan& value) {
    ProcessFields(value, Reader(json, path, error_));
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
