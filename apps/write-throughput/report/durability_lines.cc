#include "apps/write-throughput/report/durability_lines.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "apps/write-throughput/report/text.h"
#include "metrics/statistics.h"

namespace throughput {
namespace {

using metrics::ResultRecord;
using Runs = std::span<const ResultRecord>;

// Of `figure` over the runs that have it.
template <typename Figure>
std::optional<double> MeanOver(Runs runs, Figure figure) {
  std::vector<double> values;
  for (const ResultRecord& run : runs) {
    if (const std::optional<double> value = figure(run)) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  return metrics::Mean(values);
}

std::optional<double> Ratio(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

std::string Comment(const std::string& number, const std::string& what) {
  return fmt::format("{:>16} {}", number, what);
}

std::string Line(const std::optional<double>& value, const char* unit, const char* name,
                 const std::string& comment, bool big_numbers) {
  if (!value) return "";
  return PerfLine(Significant(*value, big_numbers), unit, name, comment) + "\n";
}

std::string SyncLatency(Runs runs, bool big_numbers) {
  metrics::Histogram all;
  for (const ResultRecord& run : runs) all.Merge(run.sync_latency_ns);
  if (all.empty()) return "";
  const auto usec = [&](double percent) {
    return Decimal(static_cast<double>(all.Percentile(percent)) / 1e3, 2, big_numbers);
  };
  return PerfLine(usec(50), "usec", "sync latency p50", Comment(usec(99), "usec p99")) + "\n";
}

std::string Limit(Runs runs, bool big_numbers) {
  const auto limit = MeanOver(runs, [](const ResultRecord& run) {
    return Ratio(run.limit_rows_per_second, run.limit_rows_per_second > 0 ? 1 : 0);
  });
  const auto percent = MeanOver(runs, [](const ResultRecord& run) {
    return Ratio(100 * run.rows_per_second, run.limit_rows_per_second);
  });
  if (!limit || !percent) return "";
  return PerfLine(fmt::format("{:.0f}", *percent), "%", "of this disk's limit",
                  Comment(Decimal(*limit, 2, big_numbers), "rows/s")) +
         "\n";
}

std::string Notes(Runs runs) {
  for (const ResultRecord& run : runs) {
    if (run.durability_note.empty()) continue;
    return fmt::format("\n durability {}: {}\n", run.durability,
                       PrintableLine(run.durability_note));
  }
  return "";
}

}  // namespace

std::string DurabilityLines(Runs runs, bool big_numbers) {
  const auto amplification = MeanOver(runs, [](const ResultRecord& run) {
    return Ratio(static_cast<double>(run.bytes_written), static_cast<double>(run.row_bytes));
  });
  const auto flushes = MeanOver(runs, [](const ResultRecord& run) -> std::optional<double> {
    if (run.device_flushes < 0) return std::nullopt;
    return Ratio(static_cast<double>(run.device_flushes), static_cast<double>(run.transactions));
  });
  const auto by_kernel = MeanOver(runs, [](const ResultRecord& run) -> std::optional<double> {
    if (run.kernel_syncs < 0) return std::nullopt;
    return Ratio(static_cast<double>(run.kernel_syncs), static_cast<double>(run.transactions));
  });
  const double waits = *MeanOver(runs, [](const ResultRecord& run) {
    return std::optional(static_cast<double>(run.busy_waits));
  });
  const std::string lines =
      Line(amplification, "", "bytes written per byte of rows", "", big_numbers) +
      SyncLatency(runs, big_numbers) +
      Line(by_kernel, "", "syncs by the kernel's count", Comment("per", "transaction"),
           big_numbers) +
      Line(flushes, "", "flushes of the device", Comment("per", "transaction"), big_numbers) +
      Line(Ratio(waits, waits > 0 ? 1 : 0), "", "waits for locks", "", big_numbers) +
      Limit(runs, big_numbers);
  return (lines.empty() ? "" : "\n" + lines) + Notes(runs);
}

}  // namespace throughput
