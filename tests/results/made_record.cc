// Owns the figures that tests start from.
#include "tests/results/made_record.h"

namespace throughput {

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

void SetRate(metrics::ResultRecord& record, double rows_per_second) {
  record.rows_per_second = rows_per_second;
  record.seconds = static_cast<double>(record.rows) / rows_per_second;
}

}  // namespace throughput
