// Owns the columns of the rows. New csv-wide columns go to the end of kColumns and nowhere else;
// the counters follow them, to be read by name.
#include "apps/write-throughput/report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "apps/write-throughput/report/background.h"
#include "apps/write-throughput/report/counter_figures.h"
#include "apps/write-throughput/report/text.h"

namespace throughput {
namespace {

using metrics::CounterReading;
using metrics::CounterStatus;
using metrics::ResultRecord;

struct Column {
  const char* name;
  std::string (*text)(const ResultRecord& run);
};

// Nine significant digits: an exact count stays exact up to a thousand million a row.
std::string Ratio(double part, double whole) {
  return whole > 0 ? fmt::format("{:.9g}", part / whole) : "";
}

std::string PerRow(const ResultRecord& run, double amount) {
  return Ratio(amount, static_cast<double>(run.rows));
}

std::string PerTransaction(const ResultRecord& run, double amount) {
  return Ratio(amount, static_cast<double>(run.transactions));
}

template <typename Integer>
std::string Microseconds(Integer ns) {
  return fmt::format("{:.3f}", static_cast<double>(ns) / 1e3);
}

template <int kPerMille>
std::string LatencyPercentile(const ResultRecord& run) {
  if (run.commit_latency_ns.empty()) return "";
  return Microseconds(run.commit_latency_ns.Percentile(kPerMille / 10.0));
}

template <int kPercent>
std::string SyncLatencyPercentile(const ResultRecord& run) {
  return run.sync_latency_ns.empty() ? "" : Microseconds(run.sync_latency_ns.Percentile(kPercent));
}

std::string LatencyMax(const ResultRecord& run) {
  return run.commit_latency_ns.empty() ? "" : Microseconds(run.commit_latency_ns.max());
}

std::string LeastRowsOfAThread(const ResultRecord& run) {
  const auto& rows = run.rows_per_thread;
  return rows.empty() ? "" : fmt::format("{}", *std::min_element(rows.begin(), rows.end()));
}

std::string MostRowsOfAThread(const ResultRecord& run) {
  const auto& rows = run.rows_per_thread;
  return rows.empty() ? "" : fmt::format("{}", *std::max_element(rows.begin(), rows.end()));
}

template <auto kField>
std::string OfOpenLoop(const ResultRecord& run) {
  return run.open_loop ? fmt::format("{}", (*run.open_loop).*kField) : "";
}

template <int kPercent>
std::string ServicePercentile(const ResultRecord& run) {
  if (!run.open_loop || run.open_loop->service_ns.empty()) return "";
  return Microseconds(run.open_loop->service_ns.Percentile(kPercent));
}

constexpr size_t kClassicColumns = 5;
const std::array kColumns = {
    Column{"system", [](const ResultRecord& run) { return CsvField(run.system); }},
    Column{"threads", [](const ResultRecord& run) { return fmt::format("{}", run.threads); }},
    Column{"batch_size", [](const ResultRecord& run) { return fmt::format("{}", run.batch_size); }},
    Column{"compute", [](const ResultRecord& run) { return fmt::format("{}", run.compute_us); }},
    Column{"throughput",
           [](const ResultRecord& run) { return fmt::format("{:.2f}", run.rows_per_second); }},
    Column{"mode", [](const ResultRecord& run) { return CsvField(run.mode); }},
    Column{"hasher", [](const ResultRecord& run) { return CsvField(run.hasher); }},
    Column{"engine_version", [](const ResultRecord& run) { return CsvField(run.engine_version); }},
    Column{"rows", [](const ResultRecord& run) { return fmt::format("{}", run.rows); }},
    Column{"transactions",
           [](const ResultRecord& run) { return fmt::format("{}", run.transactions); }},
    Column{"seconds", [](const ResultRecord& run) { return fmt::format("{:.9f}", run.seconds); }},
    Column{"interrupted",
           [](const ResultRecord& run) { return std::string(run.interrupted ? "true" : "false"); }},
    Column{"commit_latency_p50_us", LatencyPercentile<500>},
    Column{"commit_latency_p90_us", LatencyPercentile<900>},
    Column{"commit_latency_p99_us", LatencyPercentile<990>},
    Column{"commit_latency_p99_9_us", LatencyPercentile<999>},
    Column{"commit_latency_max_us", LatencyMax},
    Column{"retries", [](const ResultRecord& run) { return fmt::format("{}", run.retries); }},
    Column{"conflicts", [](const ResultRecord& run) { return fmt::format("{}", run.conflicts); }},
    Column{"syncs_per_transaction",
           [](const ResultRecord& run) {
             return PerTransaction(run, static_cast<double>(run.syncs));
           }},
    Column{"bytes_written_per_row",
           [](const ResultRecord& run) {
             return PerRow(run, static_cast<double>(run.bytes_written));
           }},
    Column{"bytes_prepared_per_row",
           [](const ResultRecord& run) {
             return PerRow(run, static_cast<double>(run.bytes_prepared));
           }},
    Column{"cell", [](const ResultRecord& run) { return fmt::format("{}", run.cell); }},
    Column{"repeat", [](const ResultRecord& run) { return fmt::format("{}", run.repeat); }},
    Column{"compute_clock", [](const ResultRecord& run) { return CsvField(run.compute_clock); }},
    Column{"in_flight_per_thread",
           [](const ResultRecord& run) { return fmt::format("{}", run.in_flight); }},
    Column{"value_size_bytes",
           [](const ResultRecord& run) { return fmt::format("{}", run.value_size_bytes); }},
    Column{"in_doubt_transactions",
           [](const ResultRecord& run) { return fmt::format("{}", run.in_doubt); }},
    Column{"start_skew_us",
           [](const ResultRecord& run) { return fmt::format("{:.3f}", run.start_skew_us); }},
    Column{"user_seconds",
           [](const ResultRecord& run) { return fmt::format("{:.9f}", run.user_seconds); }},
    Column{"system_seconds",
           [](const ResultRecord& run) { return fmt::format("{:.9f}", run.system_seconds); }},
    Column{"rows_per_thread_min", LeastRowsOfAThread},
    Column{"rows_per_thread_max", MostRowsOfAThread},
    Column{"rows_verified",
           [](const ResultRecord& run) {
             return run.verified ? fmt::format("{}", run.rows_verified) : std::string();
           }},
    Column{"engine_library", [](const ResultRecord& run) { return CsvField(run.engine_library); }},
    Column{"engine_source_id",
           [](const ResultRecord& run) { return CsvField(run.engine_source_id); }},
    Column{"busy_waits", [](const ResultRecord& run) { return fmt::format("{}", run.busy_waits); }},
    Column{"os_syncs_per_transaction",
           [](const ResultRecord& run) {
             return PerTransaction(run, static_cast<double>(run.os_syncs));
           }},
    Column{"os_bytes_written_per_row",
           [](const ResultRecord& run) {
             return PerRow(run, static_cast<double>(run.os_bytes_written));
           }},
    Column{"write_amplification",
           [](const ResultRecord& run) {
             return Ratio(static_cast<double>(run.bytes_written),
                          static_cast<double>(run.row_bytes));
           }},
    Column{"sync_latency_p50_us", SyncLatencyPercentile<50>},
    Column{"sync_latency_p99_us", SyncLatencyPercentile<99>},
    Column{"device_flushes_per_transaction",
           [](const ResultRecord& run) {
             return run.device_flushes < 0
                        ? std::string()
                        : PerTransaction(run, static_cast<double>(run.device_flushes));
           }},
    Column{"durability", [](const ResultRecord& run) { return CsvField(run.durability); }},
    Column{"limit_rows_per_second",
           [](const ResultRecord& run) {
             return run.limit_rows_per_second > 0 ? fmt::format("{:.2f}", run.limit_rows_per_second)
                                                  : std::string();
           }},
    Column{"rate_transactions_per_second", OfOpenLoop<&metrics::OpenLoop::rate>},
    Column{"service_time_p50_us", ServicePercentile<50>},
    Column{"service_time_p99_us", ServicePercentile<99>},
    Column{"backlog_most_transactions", OfOpenLoop<&metrics::OpenLoop::backlog_most>},
    Column{"backlog_last_transactions", OfOpenLoop<&metrics::OpenLoop::backlog_last>},
    Column{"saturated",
           [](const ResultRecord& run) {
             if (!run.open_loop) return std::string();
             return std::string(run.open_loop->saturated ? "true" : "false");
           }},
    Column{"engine_io", [](const ResultRecord& run) { return CsvField(run.engine_io); }},
    Column{"checkpoints",
           [](const ResultRecord& run) { return fmt::format("{}", run.background.checkpoints); }},
    Column{"merges",
           [](const ResultRecord& run) { return fmt::format("{}", run.background.merges); }},
    Column{"background_bytes",
           [](const ResultRecord& run) { return fmt::format("{}", run.background.bytes_written); }},
    Column{"background_bytes_share",
           [](const ResultRecord& run) {
             return Ratio(static_cast<double>(run.background.bytes_written), AllBytes(run));
           }},
    Column{"background_cpu_seconds",
           [](const ResultRecord& run) {
             return fmt::format("{:.9f}", static_cast<double>(run.background.cpu_ns) * 1e-9);
           }},
    Column{"background_cpu_share",
           [](const ResultRecord& run) {
             return Ratio(static_cast<double>(run.background.cpu_ns), AllCpuNanoseconds(run));
           }},
    Column{"stalls",
           [](const ResultRecord& run) { return fmt::format("{}", run.background.stalls); }},
    Column{"stall_total_us",
           [](const ResultRecord& run) { return Microseconds(run.background.stall_ns); }},
    Column{"stall_longest_us",
           [](const ResultRecord& run) { return Microseconds(run.background.longest_stall_ns); }},
    Column{"sync_longest_us",
           [](const ResultRecord& run) {
             const uint64_t ns = run.background.longest_sync_ns;
             return ns == 0 ? std::string() : Microseconds(ns);
           }},
    Column{"intervals",
           [](const ResultRecord& run) { return fmt::format("{}", WholeIntervals(run).all); }},
    Column{"intervals_without_rows",
           [](const ResultRecord&
                  run) { return fmt::format("{}", WholeIntervals(run).without_rows); }},
    Column{"durability_note",
           [](const ResultRecord& run) { return CsvField(run.durability_note); }},
    Column{"scope", [](const ResultRecord& run) { return CsvField(run.scope); }},
};

std::string Fixed(const ResultRecord& run, size_t columns) {
  std::string text;
  for (size_t i = 0; i < columns; ++i) text += (i > 0 ? "," : "") + kColumns[i].text(run);
  return text;
}

std::string FixedNames(size_t columns) {
  std::string text;
  for (size_t i = 0; i < columns; ++i) text += (i > 0 ? "," : "") + std::string(kColumns[i].name);
  return text;
}

// "task-clock_ns", "instructions", "cycles:u".
std::string CounterColumn(const CounterReading& reading) {
  return CounterLabel(reading) + (IsClock(CounterKind(reading)) ? "_ns" : "");
}

// The value and the value per row; both empty where the counter gave none.
std::string CounterFields(const ResultRecord& run, const std::string& label) {
  for (const CounterReading& reading : run.counters) {
    if (CounterLabel(reading) != label || reading.status != CounterStatus::kCounted) continue;
    return fmt::format(",{:.0f},{}", reading.value, PerRow(run, reading.value));
  }
  return ",,";
}

}  // namespace

std::string Rows::Header(const ResultRecord& first_run) {
  if (format_ == RowFormat::kJson) return "";
  if (format_ == RowFormat::kCsv) return header_ ? FixedNames(kClassicColumns) + "\n" : "";
  std::string text = FixedNames(kColumns.size());
  for (const CounterReading& reading : first_run.counters) {
    counters_.push_back(CounterLabel(reading));
    const std::string name = CounterColumn(reading);
    text += "," + CsvField(name) + "," + CsvField(name + "_per_row");
  }
  return text + "\n";
}

std::string Rows::Row(const ResultRecord& run) const {
  if (format_ == RowFormat::kJson) return metrics::ToJson(run) + "\n";
  if (format_ == RowFormat::kCsv) return Fixed(run, kClassicColumns) + "\n";
  std::string text = Fixed(run, kColumns.size());
  for (const std::string& label : counters_) text += CounterFields(run, label);
  return text + "\n";
}

std::string Rows::Text(const ResultRecord& run) {
  const std::string header = started_ ? "" : Header(run);
  started_ = true;
  return header + Row(run);
}

}  // namespace throughput
