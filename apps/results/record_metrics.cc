// Owns the names, units and directions of the metrics.
#include "apps/results/record_metrics.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "apps/results/settings.h"

namespace throughput {
namespace {

struct CounterMetric {
  std::string_view event;
  std::string_view unit;
};
constexpr std::array<CounterMetric, 4> kCounterMetrics = {{
    {"instructions", "instructions"},
    {"cycles", "cycles"},
    {"task-clock", "ns"},
    {"branch-misses", "branch-misses"},
}};

void AddCounters(const metrics::ResultRecord& record, std::vector<Metric>& metrics) {
  for (const CounterMetric& wanted : kCounterMetrics) {
    for (const metrics::CounterReading& reading : record.counters) {
      if (reading.event != wanted.event) continue;
      if (reading.status != metrics::CounterStatus::kCounted) continue;
      std::string unit{wanted.unit};
      if (!reading.modifiers.empty()) unit += ":" + reading.modifiers;
      unit += "/row";
      if (reading.source == "callgrind") unit += " (callgrind)";
      metrics.push_back({fmt::format("{}/row", wanted.event), unit, Better::kLower,
                         reading.value / static_cast<double>(record.rows)});
      break;
    }
  }
}

void AddLatency(const metrics::ResultRecord& record, std::vector<Metric>& metrics) {
  if (record.commit_latency_ns.Count() == 0) return;
  constexpr double kNanosecondsPerMicrosecond = 1000;
  for (const int percent : {50, 99}) {
    const auto ns = static_cast<double>(record.commit_latency_ns.Percentile(percent));
    metrics.push_back(
        {fmt::format("p{}", percent), "us", Better::kLower, ns / kNanosecondsPerMicrosecond});
  }
}

}  // namespace

std::string_view NameOf(Better better) { return better == Better::kHigher ? "higher" : "lower"; }

std::string TestName(const metrics::ResultRecord& record) {
  std::string name = record.system;
  for (const Setting& setting : SettingsOf(record)) {
    name += fmt::format(" {}={}", setting.name, setting.value);
  }
  return name;
}

std::string MachineName(const metrics::ResultRecord& record) {
  return fmt::format("{}, {} cores, {}", record.environment.cpu, record.environment.cores,
                     record.environment.kernel);
}

std::vector<Metric> MetricsOf(const metrics::ResultRecord& record) {
  std::vector<Metric> metrics;
  metrics.push_back({"rows/s", "rows/s", Better::kHigher, record.rows_per_second});
  AddCounters(record, metrics);
  metrics.push_back({"syncs/transaction", "syncs/transaction", Better::kLower,
                     static_cast<double>(record.syncs) / static_cast<double>(record.transactions)});
  metrics.push_back({"bytes/row", "bytes/row", Better::kLower,
                     static_cast<double>(record.bytes_written) / static_cast<double>(record.rows)});
  AddLatency(record, metrics);
  return metrics;
}

}  // namespace throughput
