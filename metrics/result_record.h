// One run of one cell as data: what the load measured, for every reporter and every later program.
// Units stand in the names. The JSON form is one object a line, "schema_version" first; fields are
// only ever added. The fields below are written under their own names, nested as here, a histogram
// as
// {"count", "min", "max", "sum" (a string), "buckets": [[lowest value, count], ...]}. For readers
// stand beside them, and FromJson passes over, what follows from them: commit_latency_us {p50, p90,
// p99, p99.9, max}, per_row and per_transaction {syncs, bytes_written, each counter that counted}.
// Thread rule: a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metrics/counter_reading.h"
#include "metrics/histogram.h"

namespace metrics {

inline constexpr int kSchemaVersion = 1;

struct Environment {
  std::string cpu;
  int cores = 0;  // online
  std::string kernel;
  std::string file_system;  // of the database path: "ext4 on /dev/vda"
  std::string commit;       // of write-throughput's source, "-dirty" appended where it was
  std::string build_type;
  std::vector<std::string> arguments;  // the command line, secrets taken out
  std::vector<std::pair<std::string, std::string>> libraries;  // name, version
};

// What the engine's own threads did behind the load, where it can tell.
struct Background {
  uint64_t checkpoints = 0;    // done
  uint64_t merges = 0;         // done
  uint64_t bytes_written = 0;  // among those of the record
  uint64_t cpu_ns = 0;         // among the record's user and system seconds
  uint64_t stalls = 0;         // how often a load thread waited for them
  uint64_t stall_ns = 0;       // all together
  uint64_t longest_stall_ns = 0;
  uint64_t longest_sync_ns = 0;  // one that commits waited for, its write included; 0: not known
};

struct Interval {
  double end_seconds = 0;  // since the window opened
  uint64_t rows = 0;       // acknowledged within it
  std::vector<CounterReading> counters;
  bool checkpoint = false;  // one was under way within it, however short; likewise:
  bool merge = false;
  bool stall = false;
};

// What the load threads did in a phase, all of them together; or what all other threads did.
struct PhaseFigures {
  std::string phase;     // "begin", "compute", "insert", "commit", "background"
  double seconds = 0;    // wall time of the load threads; CPU time of the background
  bool counted = false;  // instructions and cycles are known
  double instructions = 0;
  double cycles = 0;
};

// Of a load whose transactions arrived at a fixed rate. Then commit_latency_ns runs from the
// intended start of each.
struct OpenLoop {
  int64_t rate = 0;          // transactions per second of all threads
  Histogram service_ns;      // from the actual start to durable
  int64_t backlog_most = 0;  // due and not begun: the sum of what each thread had at most
  int64_t backlog_last = 0;  // when each thread's last transaction began
  bool saturated = false;    // it kept falling behind: the latency says how long the run was
};

// A cell's process from its exec to its exit, as an outer perf stat would see it.
struct ProcessSpan {
  double seconds = 0;
  double user_seconds = 0;
  double system_seconds = 0;
};

struct ResultRecord {
  // the cell
  std::string system;  // "Burin"
  std::string engine_version;
  int threads = 0;
  int64_t batch_size = 0;     // rows per transaction
  int64_t compute_us = 0;     // busy per transaction
  std::string compute_clock;  // "wall" or "cpu"
  std::string mode;
  std::string hasher;            // empty: the engine takes none
  std::string engine_io;         // "pwrite" or "io-uring"; empty: the engine has no choice
  int in_flight = 0;             // per thread; 0: not pipelined
  int64_t value_size_bytes = 0;  // 0: as it comes
  int cell = 0;                  // from 1, in the order of the sweep
  int repeat = 0;                // from 1

  // the window
  bool interrupted = false;
  int64_t rows = 0;          // acknowledged
  int64_t transactions = 0;  // acknowledged
  double seconds = 0;
  double user_seconds = 0;  // CPU time of the process within the window
  double system_seconds = 0;
  double rows_per_second = 0;
  double start_skew_us = 0;  // first to last thread's first instruction behind the start line
  std::vector<int64_t> rows_per_thread;
  Histogram commit_latency_ns;
  int64_t retries = 0;
  int64_t conflicts = 0;
  int64_t in_doubt = 0;  // transactions neither acknowledged nor refused
  uint64_t syncs = 0;
  uint64_t bytes_written = 0;
  uint64_t bytes_prepared = 0;
  Background background;
  std::vector<CounterReading> counters;
  std::string counters_note;  // one line when hardware events are missing, else empty
  std::vector<Interval> intervals;
  double harness_percent = 0;  // of the load threads' time: the program's own work around the calls
  std::vector<ThreadReadings> thread_counters;  // with --per-thread
  std::vector<PhaseFigures> phases;             // with --phases, as the two below
  double phase_overhead_percent = 0;            // of the load threads' time: reading the counters
  std::string phases_note;                      // one line: what a reading costs, what is missing
  std::optional<OpenLoop> open_loop;            // absent, also from the JSON: a closed loop

  // after it
  bool verified = false;
  int64_t rows_verified = 0;

  // Fields of later versions of the program: absent in older lines, which keep the defaults.
  std::string engine_library;    // path of the file that was loaded; empty: built in
  std::string engine_source_id;  // which state of the engine's source it was made of
  uint64_t busy_waits = 0;       // for locks of others, within the engine's calls
  uint64_t row_bytes = 0;        // acknowledged: 8 of the id and those of the value, each row
  // The process's own calls within the window, seen as they pass to the operating system.
  uint64_t os_syncs = 0;
  uint64_t os_range_syncs = 0;  // sync_file_range: makes nothing durable
  uint64_t os_writes = 0;       // calls
  uint64_t os_bytes_written = 0;
  Histogram sync_latency_ns;
  int64_t device_flushes = -1;  // of the whole device, whoever asked; -1: it does not tell
  std::string durability;       // "counted", "unclear", "refuted", "not claimed", "out of sight"
  std::string durability_note;  // one line that says why, where it is not "counted"
  double limit_rows_per_second = 0;    // of the same bytes appended and synced; 0: not measured
  std::string scope = "run";           // what `counters` are about: "run", the window; "process"
  std::optional<ProcessSpan> process;  // with scope "process", else absent, also from the JSON
  int64_t kernel_syncs = -1;  // that the kernel saw the process ask for within the window, raw
                              // system calls among them; -1: not counted

  Environment environment;
};

// One line without its newline; strings that are not UTF-8 have their bad bytes replaced by U+FFFD.
std::string ToJson(const ResultRecord& record);

// What ToJson wrote. Otherwise false, `record` as it was, and in `error` one line that says what is
// wrong: cut off or not JSON, another schema version, a field that is missing or of another kind
// (a number that was not finite among them). Fields it does not know are passed over, and those
// that came later than the schema (engine_io, background, checkpoint, merge, stall) may be missing.
bool FromJson(const std::string& line, ResultRecord& record, std::string& error);

}  // namespace metrics
