// What the load knows of an engine under test: a Target made for one cell, and a Connection for
// each load thread. One file per engine implements it; nothing else knows an engine's inside.
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
  virtual void Rollback() = 0;

  // The pipelined modes instead of Commit: Submit returns before the transaction is durable, and
  // Await answers for the oldest one submitted, in order. Only called where Pipelined() says so.
  virtual Outcome Submit() { return Outcome::kFailed; }
  virtual Completion Await() { return {Outcome::kFailed, {}}; }

  virtual std::string error() const = 0;  // of the last kFailed
};

// What an engine did since Open, where it can tell; all counts.
struct TargetCounts {
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

// How an engine writes, where it has a choice.
enum class Io { kPwrite, kIoUring };

struct TargetOptions {
  std::string path;
  Mode mode = Mode::kLegacy;
  int threads = 1;
  int in_flight = 64;                        // open transactions per connection, pipelined modes
  std::chrono::milliseconds timeout{30000};  // busy timeout
  std::string hasher = "fx";                 // "fx" or "sip13"
  Io io = Io::kPwrite;
  std::map<std::string, std::string> engine_options;
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

class Target {
 public:
  virtual ~Target() = default;

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
};

// A setting of its own that a target takes by --engine-option.
struct EngineSetting {
  std::string key;
  std::string help;  // what it sets and the values that are allowed, in one line
};

// The entry of an engine in the table of targets.
struct TargetInfo {
  std::string name;    // as --engine takes it: "burin"
  std::string system;  // as the row shows it: "Burin"
  std::string version;
  std::vector<Mode> modes;  // those it has
  bool uses_hasher = false;
  // Why it cannot write in that way here, in a few words, or nothing; changes nothing. Null: the
  // engine has no choice.
  std::function<std::string(Io io)> io_refusal;
  bool has_files = true;  // false: no database path, nothing to verify (the null target)
  std::vector<EngineSetting> settings;
  // Of a key that is among `settings`; changes nothing. Null: there are none.
  std::function<bool(std::string_view key, std::string_view value)> setting_allowed;
  std::function<std::unique_ptr<Target>()> make;
};

const std::vector<TargetInfo>& Targets();             // in the order they are listed
const TargetInfo* FindTarget(std::string_view name);  // null: unknown

std::string_view ModeName(Mode mode);  // "mvcc-truncate"
std::string_view IoName(Io io);        // "io-uring"
bool Pipelined(Mode mode);             // concurrent, mvcc-truncate, mvcc-passive

}  // namespace throughput
