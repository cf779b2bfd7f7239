// Owns the figures below the block. Stateless.
#include "apps/write-throughput/report/details.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "apps/write-throughput/report/background.h"
#include "apps/write-throughput/report/counter_figures.h"
#include "apps/write-throughput/report/durability_lines.h"
#include "apps/write-throughput/report/notes.h"
#include "apps/write-throughput/report/phase_lines.h"
#include "apps/write-throughput/report/text.h"
#include "apps/write-throughput/report/thread_lines.h"
#include "metrics/statistics.h"

namespace throughput {
namespace {

using metrics::ResultRecord;
using Runs = std::span<const ResultRecord>;

struct Spread {
  double mean = 0;
  double error_percent = 0;
};

// Of `figure` over the runs that have it; nothing where none has.
template <typename Figure>
std::optional<Spread> Over(Runs runs, Figure figure) {
  std::vector<double> values;
  for (const ResultRecord& run : runs) {
    const std::optional<double> value = figure(run);
    if (value) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  const double mean = metrics::Mean(values);
  return Spread{mean, mean == 0 ? 0 : 100 * metrics::StandardError(values) / mean};
}

double MeanOf(Runs runs, int64_t ResultRecord::*count) {
  return Over(runs,
              [&](const ResultRecord& run) {
                return std::optional(static_cast<double>(run.*count));
              })
      ->mean;
}

// A count is whole in one run, but its mean over several need not be.
std::string Count(double value, bool big_numbers) {
  return Decimal(value, value == std::floor(value) ? 0 : 2, big_numbers);
}

// A comment whose number stands right-aligned above and below others.
std::string Comment(const std::string& number, const std::string& what) {
  return fmt::format("{:>16} {}", number, what);
}

std::string TotalLine(Runs runs, int64_t ResultRecord::*count, const std::string& name,
                      bool big_numbers) {
  const auto rate = Over(runs, [&](const ResultRecord& run) -> std::optional<double> {
    if (run.seconds <= 0) return std::nullopt;
    return static_cast<double>(run.*count) / run.seconds;
  });
  const std::string comment = rate ? Comment(Decimal(rate->mean, 2, big_numbers), name + "/s") : "";
  return PerfLine(Count(MeanOf(runs, count), big_numbers), "", name, comment,
                  ErrorTail(rate ? rate->error_percent : 0)) +
         "\n";
}

// `amount` of a run, or nothing, per row and per transaction.
template <typename Amount>
std::string ShareLine(Runs runs, const std::string& unit, const std::string& name, Amount amount,
                      bool big_numbers) {
  const auto per = [&](int64_t ResultRecord::*count) {
    return Over(runs, [&](const ResultRecord& run) -> std::optional<double> {
      const std::optional<double> total = amount(run);
      if (!total || run.*count <= 0) return std::nullopt;
      return *total / static_cast<double>(run.*count);
    });
  };
  const auto row = per(&ResultRecord::rows);
  const auto transaction = per(&ResultRecord::transactions);
  if (!row || !transaction) return "";
  return PerfLine(Significant(row->mean, big_numbers), unit, name,
                  Comment(Significant(transaction->mean, big_numbers), unit),
                  ErrorTail(row->error_percent)) +
         "\n";
}

std::optional<double> Counted(const ResultRecord& run, const std::string& label) {
  for (const metrics::CounterReading& reading : run.counters) {
    const bool counted = reading.status == metrics::CounterStatus::kCounted;
    if (counted && CounterLabel(reading) == label) return reading.value;
  }
  return std::nullopt;
}

std::string CounterShares(Runs runs, bool big_numbers) {
  constexpr std::array kShown = {"instructions", "cycles", "task-clock"};
  std::string text;
  for (const std::string_view kind : kShown) {
    for (const metrics::CounterReading& reading : runs.front().counters) {
      if (CounterKind(reading) != kind) continue;
      const std::string label = CounterLabel(reading);
      text += ShareLine(
          runs, IsClock(kind) ? "nsec" : "", label,
          [&](const ResultRecord& run) { return Counted(run, label); }, big_numbers);
    }
  }
  return text;
}

std::string Shares(Runs runs, bool big_numbers) {
  const auto line = [&](const char* name, uint64_t ResultRecord::*amount) {
    return ShareLine(
        runs, "", name,
        [&](const ResultRecord& run) { return std::optional(static_cast<double>(run.*amount)); },
        big_numbers);
  };
  std::string lines = CounterShares(runs, big_numbers) + line("syncs", &ResultRecord::syncs) +
                      line("bytes written", &ResultRecord::bytes_written);
  const bool prepared = std::any_of(runs.begin(), runs.end(),
                                    [](const ResultRecord& run) { return run.bytes_prepared > 0; });
  if (prepared) lines += line("bytes zero-filled ahead", &ResultRecord::bytes_prepared);
  if (lines.empty()) return "";
  return "\n" + PerfLine("per row", "", "", fmt::format("{:>16}", "per transaction")) + "\n" +
         lines;
}

constexpr const char* kPercentileColumns = "{:>18}{:>14}{:>14}{:>14}{:>14}";

std::string PercentileLine(const metrics::Histogram& all, const std::string& what,
                           bool big_numbers) {
  const auto usec = [&](int64_t ns) {
    return Decimal(static_cast<double>(ns) / 1e3, 2, big_numbers);
  };
  return fmt::format(fmt::runtime(kPercentileColumns), usec(all.Percentile(50)),
                     usec(all.Percentile(90)), usec(all.Percentile(99)), usec(all.Percentile(99.9)),
                     usec(all.max())) +
         "  usec " + what + "\n";
}

std::string Latency(Runs runs, bool big_numbers) {
  metrics::Histogram latency;
  metrics::Histogram service;
  for (const ResultRecord& run : runs) {
    latency.Merge(run.commit_latency_ns);
    if (run.open_loop) service.Merge(run.open_loop->service_ns);
  }
  if (latency.empty()) return "";
  const std::string head =
      "\n" + fmt::format(fmt::runtime(kPercentileColumns), "p50", "p90", "p99", "p99.9", "max") +
      "\n";
  if (service.empty()) return head + PercentileLine(latency, "commit latency", big_numbers);
  return head + PercentileLine(latency, "latency from the intended start", big_numbers) +
         PercentileLine(service, "service time", big_numbers);
}

// Of an open loop: what was waiting, and whether the figures above are of a queue that only grew.
std::string Backlog(Runs runs, bool big_numbers) {
  const auto mean = [&](int64_t metrics::OpenLoop::*field) {
    return Over(runs, [&](const ResultRecord& run) -> std::optional<double> {
      if (!run.open_loop) return std::nullopt;
      return static_cast<double>((*run.open_loop).*field);
    });
  };
  const auto most = mean(&metrics::OpenLoop::backlog_most);
  if (!most) return "";
  const auto saturated = std::count_if(runs.begin(), runs.end(), [](const ResultRecord& run) {
    return run.open_loop && run.open_loop->saturated;
  });
  const double last = mean(&metrics::OpenLoop::backlog_last)->mean;
  std::string text = PerfLine(Count(mean(&metrics::OpenLoop::rate)->mean, big_numbers), "",
                              "transactions/s asked") +
                     "\n" +
                     PerfLine(Count(most->mean, big_numbers), "", "most transactions waiting",
                              Comment(Count(last, big_numbers), "at the end")) +
                     "\n";
  if (saturated == 0) return text;
  const std::string which =
      runs.size() > 1 ? fmt::format("in {} of {} runs", saturated, runs.size()) : "";
  return text + PerfLine("saturated", "", which) + "\n";
}

std::string ThreadLine(Runs runs, bool big_numbers) {
  std::vector<int64_t> rows;
  for (const ResultRecord& run : runs) {
    rows.insert(rows.end(), run.rows_per_thread.begin(), run.rows_per_thread.end());
  }
  if (runs.front().threads < 2 || rows.empty()) return "";
  const auto [least, most] = std::minmax_element(rows.begin(), rows.end());
  const auto text = [&](int64_t count) { return Count(static_cast<double>(count), big_numbers); };
  return PerfLine(text(*least), "", "rows of the slowest thread",
                  Comment(text(*most), "of the fastest")) +
         "\n";
}

std::string HarnessLine(Runs runs, bool big_numbers) {
  const auto share =
      Over(runs, [](const ResultRecord& run) { return std::optional(run.harness_percent); });
  return PerfLine(Decimal(share->mean, 2, big_numbers), "%", "harness's own share",
                  "of the load threads' time", ErrorTail(share->error_percent)) +
         "\n";
}

std::string Course(Runs runs, bool big_numbers) {
  const auto count = [&](int64_t ResultRecord::*field) {
    return Count(MeanOf(runs, field), big_numbers);
  };
  const auto skew =
      Over(runs, [](const ResultRecord& run) { return std::optional(run.start_skew_us); });
  std::string text = "\n" + PerfLine(Decimal(skew->mean, 2, big_numbers), "usec", "start skew") +
                     "\n" + HarnessLine(runs, big_numbers) + ThreadLine(runs, big_numbers) +
                     Backlog(runs, big_numbers) +
                     PerfLine(count(&ResultRecord::retries), "", "retries",
                              Comment(count(&ResultRecord::conflicts), "conflicts")) +
                     "\n";
  if (MeanOf(runs, &ResultRecord::in_doubt) > 0) {
    text += PerfLine(count(&ResultRecord::in_doubt), "", "transactions in doubt") + "\n";
  }
  const bool verified =
      std::all_of(runs.begin(), runs.end(), [](const ResultRecord& run) { return run.verified; });
  if (verified) {
    text += PerfLine(count(&ResultRecord::rows_verified), "", "rows verified") + "\n";
  }
  return text;
}

}  // namespace

std::string Details(Runs runs, int repeats, bool big_numbers) {
  return RunNotes(runs, repeats) + "\n" +
         TotalLine(runs, &ResultRecord::rows, "rows", big_numbers) +
         TotalLine(runs, &ResultRecord::transactions, "transactions", big_numbers) +
         Shares(runs, big_numbers) + Latency(runs, big_numbers) +
         DurabilityLines(runs, big_numbers) + BackgroundDetails(runs, big_numbers) +
         Course(runs, big_numbers) + PhaseLines(runs, big_numbers) +
         ThreadLines(runs, big_numbers) + CounterNotes(runs) + "\n";
}

}  // namespace throughput
