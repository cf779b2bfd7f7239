#include "tests/metrics/full_record.h"

#include <limits>
#include <string>

namespace metrics {
namespace {

CounterReading Reading(const std::string& event, double value) {
  CounterReading reading;
  reading.event = reading.generic = event;
  reading.value = value;
  reading.enabled_ns = 900;
  reading.running_ns = 450;
  reading.source = "perf";
  return reading;
}

}  // namespace

ResultRecord FullRecord() {
  ResultRecord record;
  record.system = "Burin";
  record.engine_version = "0.1.0";
  record.threads = 8;
  record.batch_size = 100;
  record.compute_us = 500;
  record.compute_clock = "cpu";
  record.mode = "logical-log";
  record.hasher = "sip13";
  record.in_flight = 64;
  record.value_size_bytes = 128;
  record.cell = 3;
  record.repeat = 2;
  record.interrupted = true;
  record.rows = 2000;
  record.transactions = 20;
  record.seconds = 1.25;
  record.user_seconds = 0.5;
  record.system_seconds = 0.125;
  record.rows_per_second = 106875.21;
  record.start_skew_us = 12.5;
  record.rows_per_thread = {900, 1100};
  record.commit_latency_ns.Record(150'000, 19);
  record.commit_latency_ns.Record(std::numeric_limits<int64_t>::max());
  record.retries = 4;
  record.conflicts = 5;
  record.in_doubt = 6;
  record.syncs = 40;
  record.bytes_written = std::numeric_limits<uint64_t>::max();
  record.bytes_prepared = 4096;
  record.counters = {Reading("instructions", 1e15 + 1), Reading("cycles", 7)};
  record.counters[0].modifiers = "u";
  record.counters[0].hardware = true;
  record.counters[0].asked_by_name = true;
  record.counters[1].status = CounterStatus::kSuspect;
  record.counters[1].cause = "reads 0";
  record.counters_note = "only user mode is counted";
  record.engine_io = "io-uring";
  record.background = {1, 2, 3, 4, 5, 6, 7, 8};
  record.intervals = {{0.1, 700, {Reading("instructions", 5)}}, {0.2, 1300, {}, true, true, true}};
  record.harness_percent = 1.5;
  record.thread_counters = {{"load-0", {Reading("task-clock", 5)}}};
  record.phases = {{"insert", 0.25, true, 104, 98}};
  record.phase_overhead_percent = 0.75;
  record.phases_note = "4 readings";
  record.verified = true;
  record.rows_verified = 2000;
  record.engine_library = "/usr/lib/libsqlite3.so.0";
  record.engine_source_id = "2022-12-28 df5c";
  record.busy_waits = 11;
  record.row_bytes = 34000;
  record.os_syncs = 41;
  record.os_range_syncs = 12;
  record.os_writes = 43;
  record.os_bytes_written = 90000;
  record.sync_latency_ns.Record(120'000, 41);
  record.device_flushes = 44;
  record.durability = "unclear";
  record.durability_note = "the device does not tell";
  record.limit_rows_per_second = 250000.5;
  record.scope = "process";
  record.kernel_syncs = 45;
  record.environment.cpu = "AMD EPYC";
  record.environment.cores = 2;
  record.environment.kernel = "Linux 6.1";
  record.environment.file_system = "ext4 on /dev/vda";
  record.environment.commit = "abc-dirty";
  record.environment.build_type = "Release";
  record.environment.arguments = {"write-throughput", "-t", "8"};
  record.environment.libraries = {{"oneTBB", "2021.8"}, {"libpfm4", "4.13"}};
  return record;
}

}  // namespace metrics
