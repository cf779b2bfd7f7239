// What the load knows of an engine under test: a Target made for one cell, and a Connection for
// each load thread. One file per engine implements it; nothing else knows an engine's inside.
//
// Libraries are loaded with dlopen in the process of the cell (shared_library.h), never linked.
// Each database of an engine that is not Burin lies in a folder of ours (marked_folder.h).
//
// Errors are values: the text is the engine's own, in one line.
// Thread rule: a Target's calls come from one thread, Counts from any; each Connection is used by
// one thread, which need not be the one that made it. Connections end before Close.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace throughput {

// The six ways to commit; what each means: README, "Modes".
enum class Mode { kLegacy, kMvcc, kLogicalLog, kConcurrent, kMvccTruncate, kMvccPassive };

struct Failure {
  std::string text;  // one line
};
template <typename T = void>
using Expected = tl::expected<T, Failure>;

enum class Outcome {
  kOk,
  kConflict,  // another transaction was first; roll back and run the transaction anew
  kBusy,      // a lock was not to be had yet; likewise
  kFailed,    // error() says why; the run ends
};

// The answer for the oldest submitted transaction.
struct Completion {
  Outcome outcome = Outcome::kOk;
  std::chrono::steady_clock::time_point durable_at;  // stamped by whoever made it durable
};

class Connection {
 public:
  virtual ~Connection() = default;

  virtual Outcome Begin() = 0;
  virtual Outcome Insert(int64_t id, std::string_view data) = 0;
  virtual Outcome Commit() = 0;  // Ok: durable
  virtual void Rollback() = 0;   // behind any other outcome; there may be nothing left to undo

  // The pipelined modes instead of Commit: Submit returns before the transaction is durable, and
  // Await answers for the oldest one submitted, in order. Only called where Pipelined() says so.
  virtual Outcome Submit() { return Outcome::kFailed; }
  virtual Completion Await() { return {Outcome::kFailed, {}}; }

  virtual std::string error() const = 0;                 // of the last kFailed
  virtual std::string busy_error() const { return {}; }  // of the last kBusy or kConflict
};

// What an engine did since Open, where it can tell; all counts.
struct TargetCounts {
  uint64_t busy_waits = 0;  // for a lock of another's, within a call
  uint64_t syncs = 0;
  uint64_t bytes_written = 0;   // without preparing space
  uint64_t bytes_prepared = 0;  // zero-filled ahead of use
  uint64_t conflicts = 0;

  // What its own threads did behind the load: in bytes_written, and in the CPU time of the process.
  uint64_t checkpoints = 0;
  uint64_t merges = 0;
  uint64_t background_bytes = 0;
  uint64_t background_cpu_ns = 0;

  uint64_t stalls = 0;            // how often a load thread waited for them, or began to
  uint64_t stall_ns = 0;          // all such waits together, that are over
  uint64_t longest_stall_ns = 0;  // since RestartLongest
  uint64_t longest_sync_ns = 0;   // that commits waited for, likewise

  // At this moment.
  bool checkpoint_running = false;
  bool merge_running = false;
  bool stalled = false;
};

using Settings = std::map<std::string, std::string>;  // of --engine-option

std::string SettingOr(const Settings& settings, const char* key, std::string_view otherwise);

// How an engine writes, where it has a choice.
enum class Io { kPwrite, kIoUring };

// Of the settings: what --io says, for engines that take it as a setting of theirs.
inline constexpr const char* kIoSetting = "io";

struct TargetOptions {
  std::string path;
  Mode mode = Mode::kLegacy;
  int threads = 1;
  int in_flight = 64;                        // open transactions per connection, pipelined modes
  std::chrono::milliseconds timeout{30000};  // busy timeout
  std::string hasher = "fx";                 // "fx" or "sip13"
  Io io = Io::kPwrite;
  Settings engine_options;  // of all engines: each takes those it has
  bool keep_rows = true;    // false: nobody reads them again

  // Ends the process with this failure: for a call to an engine that never returns. From any
  // thread; null: there is nobody to tell.
  std::function<void(const std::string& why)> give_up;
};

// What stands at a path before a run.
enum class PathState {
  kAbsent,
  kOurs,     // a database that write-throughput made and nobody uses: may be replaced
  kInUse,    // marked as ours, but another process has it open
  kForeign,  // anything else: never touched
};
struct PathReport {
  PathState state = PathState::kAbsent;
  std::string detail;  // for kInUse and kForeign: what it is or who holds it, in a few words
};

// What was loaded for a target: which build of which engine the figures are of.
struct LoadedEngine {
  std::string system;     // as the row shows it: "SQLite"
  std::string version;    // "3.40.1"
  std::string path;       // of the library's file
  std::string source_id;  // the engine's own name of its source's state; empty: it tells none
};

class Target {
 public:
  virtual ~Target() = default;

  // Behind Create or Reopen. Absent: it is a part of this program.
  virtual std::optional<LoadedEngine> Loaded() const { return std::nullopt; }

  virtual Expected<PathReport> InspectPath(const std::string& path) const = 0;  // changes nothing
  virtual Expected<> Remove(const std::string& path) const = 0;  // of a path that is kOurs

  virtual Expected<> Create(const TargetOptions& options) = 0;  // fresh, with test_table, marked
  virtual Expected<> Reopen(const TargetOptions& options) = 0;  // for verification
  virtual Expected<std::unique_ptr<Connection>> Connect() = 0;
  virtual TargetCounts Counts() const = 0;
  virtual void RestartLongest() {}  // the longest_* of Counts begin anew; from any thread

  // Every row of test_table in ascending id order, until `row` returns false.
  virtual Expected<> ForEachRow(
      const std::function<bool(int64_t id, std::string_view data)>& row) = 0;

  virtual Expected<> Close() = 0;

  // Behind Close: removes what Create made, where that does not lie at the path.
  virtual Expected<> Discard() { return {}; }
};

// A setting of its own that a target takes by --engine-option.
struct EngineSetting {
  std::string key;
  std::string help;  // what it sets and the values that are allowed, in one line
  bool required = false;
};

// The entry of an engine in the table of targets.
struct TargetInfo {
  std::string name;    // as --engine takes it: "burin"
  std::string system;  // as the row shows it: "Burin"
  std::string version;
  std::vector<Mode> modes;             // those it has; where it has a probe: may have
  Mode best_mode = Mode::kLogicalLog;  // the fastest durable one that awaits each commit
  bool uses_hasher = false;
  // Why it cannot write in that way here, in a few words, or nothing; changes nothing. Null: the
  // engine has no choice.
  std::function<std::string(Io io)> io_refusal;
  bool has_files = true;   // at the database path
  bool keeps_rows = true;  // false: there is nothing to verify
  std::string durability = "a commit is acknowledged when it is on the device";  // its claim
  bool claims_durability = true;  // false: `durability` says why not
  bool counts_itself = true;      // false: its syncs and writes are counted from outside
  bool within_process = true;     // false: a server does the work, out of our counters' sight
  std::vector<EngineSetting> settings;
  // Of a key that is among `settings`; changes nothing. Null: there are none.
  std::function<bool(std::string_view key, std::string_view value)> setting_allowed;
  std::function<std::unique_ptr<Target>()> make;

  // Of engines that are loaded: loads it and fills in all of `info` that only the library knows.
  // Called in a process of its own that ends behind it (engine_probe.h). Null: nothing to load.
  std::function<Expected<>(const Settings& settings, TargetInfo& info)> probe;
  std::string how_to_get;              // "apt install libsqlite3-0"
  std::optional<LoadedEngine> loaded;  // by the probe
};

const std::vector<TargetInfo>& Targets();             // in the order they are listed
const TargetInfo* FindTarget(std::string_view name);  // null: unknown

const std::vector<Mode>& AllModes();   // in the order of their description
std::string_view ModeName(Mode mode);  // "mvcc-truncate"
std::optional<Mode> FindMode(std::string_view name);
bool HasMode(const TargetInfo& engine, Mode mode);
std::string_view IoName(Io io);  // "io-uring"
std::string NoIoRefusal(Io io);  // of an engine whose probe has asked for it already
bool Pipelined(Mode mode);       // concurrent, mvcc-truncate, mvcc-passive

}  // namespace throughput
