// The fields of a ResultRecord's JSON form, once: the writer and the reader both walk these lists,
// so that they cannot differ. Each function calls field(name, member) for each member in the order
// of the JSON form, field.Added for one that lines of earlier programs have not.
//
// Thread rule: functions of their arguments.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "metrics/result_record.h"

namespace metrics {

inline constexpr std::array<std::pair<CounterStatus, std::string_view>, 4> kStatusNames = {{
    {CounterStatus::kCounted, "counted"},
    {CounterStatus::kNotCounted, "not counted"},
    {CounterStatus::kNotSupported, "not supported"},
    {CounterStatus::kSuspect, "suspect"},
}};

template <typename Reading, typename Field>
void ReadingFields(Reading& reading, Field&& field) {
  field("event", reading.event);
  field("modifiers", reading.modifiers);
  field("generic", reading.generic);
  field("hardware", reading.hardware);
  field("status", reading.status);
  field("value", reading.value);
  field("enabled_ns", reading.enabled_ns);
  field("running_ns", reading.running_ns);
  field("source", reading.source);
  field("cause", reading.cause);
  field("asked_by_name", reading.asked_by_name);
}

template <typename Part, typename Field>
void ThreadFields(Part& thread, Field&& field) {
  field("name", thread.name);
  field("counters", thread.counters);
}

template <typename Part, typename Field>
void PhaseFields(Part& phase, Field&& field) {
  field("phase", phase.phase);
  field("seconds", phase.seconds);
  field("counted", phase.counted);
  field("instructions", phase.instructions);
  field("cycles", phase.cycles);
}

template <typename Part, typename Field>
void IntervalFields(Part& interval, Field&& field) {
  field("end_seconds", interval.end_seconds);
  field("rows", interval.rows);
  field("counters", interval.counters);
  field.Added("checkpoint", interval.checkpoint);
  field.Added("merge", interval.merge);
  field.Added("stall", interval.stall);
}

template <typename Part, typename Field>
void BackgroundFields(Part& background, Field&& field) {
  field("checkpoints", background.checkpoints);
  field("merges", background.merges);
  field("bytes_written", background.bytes_written);
  field("cpu_ns", background.cpu_ns);
  field("stalls", background.stalls);
  field("stall_ns", background.stall_ns);
  field("longest_stall_ns", background.longest_stall_ns);
  field("longest_sync_ns", background.longest_sync_ns);
}

template <typename Part, typename Field>
void OpenLoopFields(Part& open_loop, Field&& field) {
  field("rate", open_loop.rate);
  field("service_ns", open_loop.service_ns);
  field("backlog_most", open_loop.backlog_most);
  field("backlog_last", open_loop.backlog_last);
  field("saturated", open_loop.saturated);
}

template <typename Part, typename Field>
void ProcessFields(Part& process, Field&& field) {
  field("seconds", process.seconds);
  field("user_seconds", process.user_seconds);
  field("system_seconds", process.system_seconds);
}

template <typename Part, typename Field>
void EnvironmentFields(Part& environment, Field&& field) {
  field("cpu", environment.cpu);
  field("cores", environment.cores);
  field("kernel", environment.kernel);
  field("file_system", environment.file_system);
  field("commit", environment.commit);
  field("build_type", environment.build_type);
  field("arguments", environment.arguments);
  field("libraries", environment.libraries);
}

template <typename Record, typename Field>
void CellFields(Record& record, Field&& field) {
  field("system", record.system);
  field("engine_version", record.engine_version);
  field("threads", record.threads);
  field("batch_size", record.batch_size);
  field("compute_us", record.compute_us);
  field("compute_clock", record.compute_clock);
  field("mode", record.mode);
  field("hasher", record.hasher);
  field.Added("engine_io", record.engine_io);
  field("in_flight", record.in_flight);
  field("value_size_bytes", record.value_size_bytes);
  field("cell", record.cell);
  field("repeat", record.repeat);
}

template <typename Record, typename Field>
void WindowFields(Record& record, Field&& field) {
  field("interrupted", record.interrupted);
  field("rows", record.rows);
  field("transactions", record.transactions);
  field("seconds", record.seconds);
  field("user_seconds", record.user_seconds);
  field("system_seconds", record.system_seconds);
  field("rows_per_second", record.rows_per_second);
  field("start_skew_us", record.start_skew_us);
  field("rows_per_thread", record.rows_per_thread);
  field("commit_latency_ns", record.commit_latency_ns);
  field("retries", record.retries);
  field("conflicts", record.conflicts);
  field("in_doubt", record.in_doubt);
  field("syncs", record.syncs);
  field("bytes_written", record.bytes_written);
  field("bytes_prepared", record.bytes_prepared);
  field.Added("background", record.background);
  field("counters", record.counters);
  field("counters_note", record.counters_note);
  field("intervals", record.intervals);
  field("open_loop", record.open_loop);
}

template <typename Record, typename Field>
void AddedFields(Record& record, Field&& field) {
  field.Added("engine_library", record.engine_library);
  field.Added("engine_source_id", record.engine_source_id);
  field.Added("busy_waits", record.busy_waits);
  field.Added("row_bytes", record.row_bytes);
  field.Added("os_syncs", record.os_syncs);
  field.Added("os_range_syncs", record.os_range_syncs);
  field.Added("os_writes", record.os_writes);
  field.Added("os_bytes_written", record.os_bytes_written);
  field.Added("sync_latency_ns", record.sync_latency_ns);
  field.Added("device_flushes", record.device_flushes);
  field.Added("durability", record.durability);
  field.Added("durability_note", record.durability_note);
  field.Added("limit_rows_per_second", record.limit_rows_per_second);
  field.Added("harness_percent", record.harness_percent);
  field.Added("thread_counters", record.thread_counters);
  field.Added("phases", record.phases);
  field.Added("phase_overhead_percent", record.phase_overhead_percent);
  field.Added("phases_note", record.phases_note);
  field.Added("scope", record.scope);
  field("process", record.process);
  field.Added("kernel_syncs", record.kernel_syncs);
}

template <typename Record, typename Field>
void Fields(Record& record, Field&& field) {
  CellFields(record, field);
  WindowFields(record, field);
  field("verified", record.verified);
  field("rows_verified", record.rows_verified);
  AddedFields(record, field);
  field("environment", record.environment);
}

}  // namespace metrics
