#include "tests/write-throughput/report/records.h"

#include "tests/results/made_record.h"

namespace throughput {

using metrics::CounterReading;
using metrics::CounterStatus;
using metrics::ResultRecord;

CounterReading Counted(const std::string& event, double value, const std::string& modifiers) {
  CounterReading reading;
  reading.event = event;
  reading.generic = event;
  reading.modifiers = modifiers;
  reading.value = value;
  reading.enabled_ns = 2838650000;
  reading.running_ns = 2838650000;
  reading.source = "perf";
  return reading;
}

CounterReading Missing(const std::string& event, CounterStatus status, const std::string& cause) {
  CounterReading reading;
  reading.event = event;
  reading.status = status;
  reading.source = "perf";
  reading.cause = cause;
  if (status == CounterStatus::kNotCounted) reading.enabled_ns = 2838650000;
  return reading;
}

std::vector<CounterReading> ExampleCounters() {
  return {Counted("task-clock", 2838650000),
          Counted("context-switches", 30629),
          Counted("cpu-migrations", 351),
          Counted("page-faults", 818),
          Counted("instructions", 19887102451),
          Counted("cycles", 11593166024),
          Counted("stalled-cycles-frontend", 2830298617),
          Counted("branches", 3764334333),
          Counted("branch-misses", 53157766)};
}

ResultRecord ExampleRecord() {
  ResultRecord record = MadeRecord();
  record.rows = 1000000;
  record.transactions = 10000;
  record.seconds = 9.218225731;
  record.user_seconds = 2.231889;
  record.system_seconds = 0.508785;
  record.rows_per_second = 1000000 / 9.218225731;
  record.start_skew_us = 12.4;
  record.harness_percent = 2.5;
  record.rows_per_thread = {1000000};
  record.commit_latency_ns = {};
  record.commit_latency_ns.Record(800000, 9000);
  record.commit_latency_ns.Record(1200000, 999);
  record.commit_latency_ns.Record(8123900);
  record.syncs = 10000;
  record.bytes_written = 113491200;
  record.bytes_prepared = 67108864;
  record.counters = ExampleCounters();
  return record;
}

std::vector<std::string> ExampleArguments() {
  return {"../../../target/release/write-throughput",
          "--threads",
          "1",
          "--batch-size",
          "100",
          "--compute",
          "0",
          "-i",
          "10000"};
}

ResultRecord WithCounter(ResultRecord record, const std::string& event, double value) {
  for (CounterReading& reading : record.counters) {
    if (reading.event == event) reading.value = value;
  }
  return record;
}

}  // namespace throughput
