// Owns the names, units and directions of the metrics.
#include "apps/results/record_metrics.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

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

std::vector<Metric> AllMetrics(const metrics::ResultRecord& record) {
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

}  // namespace

std::string TestName(const metrics::ResultRecord& record) {
  std::string name = fmt::format("{} threads={} batch={} compute={} mode={}", record.system,
                                 record.threads, record.batch_size, record.compute_us, record.mode);
  if (record.compute_us > 0 && record.compute_clock == "cpu") name += " compute-clock=cpu";
  if (!record.hasher.empty()) name += " hasher=" + record.hasher;
  if (record.in_flight > 0) name += fmt::format(" in-flight={}", record.in_flight);
  if (record.value_size_bytes > 0) name += fmt::format(" value-size={}", record.value_size_bytes);
  if (record.open_loop) name += fmt::format(" rate={}", record.open_loop->rate);
  return name;
}

std::string MachineName(const metrics::ResultRecord& record) {
  return fmt::format("{}, {} cores, {}", record.environment.cpu, record.environment.cores,
                     record.environment.kernel);
}

Result<std::vector<Metric>> MetricsOf(const metrics::ResultRecord& record) {
  if (record.interrupted) return Refused("the run was interrupted");
  if (record.rows <= 0 || record.transactions <= 0) return Refused("the run has no rows");
  std::vector<Metric> metrics = AllMetrics(record);
  for (const Metric& metric : metrics) {
    if (!(std::abs(metric.value) <= kMaxValue)) {
      return Refused(fmt::format("{} is {}, not a finite number", metric.name, metric.value));
    }
  }
  return metrics;
}

}  // namespace throughput
