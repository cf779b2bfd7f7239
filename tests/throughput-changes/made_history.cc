// Owns the figures that tests start from.
#include "tests/throughput-changes/made_history.h"

#include <fmt/format.h>

namespace throughput {

RecordedRun MadeRun(int number, double rows_per_second, const std::string& test) {
  RecordedRun run;
  run.commit = fmt::format("c{}", number);
  run.time = 1'700'000'000 + 86'400 * int64_t{number};
  run.branch = "main";
  run.repository = "https://example.org/engine";
  run.test = test;
  run.machine = "a machine";
  run.metrics.push_back({"rows/s", "rows/s", Better::kHigher, rows_per_second});
  return run;
}

std::vector<RecordedRun> MadeRuns(const std::vector<double>& values, const std::string& test) {
  std::vector<RecordedRun> runs;
  for (const double value : values) {
    runs.push_back(MadeRun(static_cast<int>(runs.size()), value, test));
  }
  return runs;
}

std::string Lines(const std::vector<RecordedRun>& runs) {
  std::string lines;
  for (const RecordedRun& run : runs) lines += FormatRun(run) + '\n';
  return lines;
}

metrics::ResultRecord MadeRecord() {
  metrics::ResultRecord record;
  record.system = "Burin";
  record.engine_version = "0.1.0";
  record.threads = 1;
  record.batch_size = 100;
  record.compute_clock = "wall";
  record.mode = "legacy";
  record.hasher = "fx";
  record.cell = 1;
  record.repeat = 1;
  record.rows = 1000;
  record.transactions = 10;
  record.seconds = 0.01;
  record.rows_per_second = 100'000;
  record.commit_latency_ns.Record(80'000, 9);
  record.commit_latency_ns.Record(200'000);
  record.syncs = 10;
  record.bytes_written = 40'000;
  metrics::CounterReading instructions;
  instructions.event = "instructions";
  instructions.value = 120'000;
  instructions.source = "perf";
  record.counters.push_back(instructions);
  record.environment.cpu = "a CPU";
  record.environment.cores = 2;
  record.environment.kernel = "Linux 6.1.0";
  return record;
}

}  // namespace throughput
