// Burin's public door: an embedded engine of named tables int64 -> bytes with multi-table
// transactions, snapshot isolation, durable commits and crash recovery.
//
//   auto engine = burin::Engine::Open("orders.db", {});
//   auto table = (*engine)->CreateTable("orders");
//   auto session = (*engine)->Connect();
//   auto transaction = session->Begin(burin::TransactionKind::kConcurrent);
//   transaction->Insert(*table, 1, "first");
//   burin::Status status = transaction->Commit();  // Ok: on the device
//
// Thread rule: Engine from any thread; a Session and the transactions begun on it by one thread at
// a time. Transactions end before their session, sessions before their engine.
// Errors are values (status.h). After Conflict, Duplicate or TooLarge, and after Commit, whatever
// it answered, a transaction is over: each further call answers kTransactionOver.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/status.h"

namespace burin {

class FileSystem;
class Store;
class SessionState;
struct TransactionState;

enum class Hasher { kFx, kSip13 };  // of the hash tables: FxHash or SipHash-1-3

enum class TransactionKind {
  kExclusive,  // writer lock from begin until the commit is durable: one sync each, strictly serial
  kSerial,     // writer lock from begin until the commit joined a group; reads the newest joined,
               // and answers kConflict once a kConcurrent transaction has committed in between
  kConcurrent,  // no lock: snapshot isolation on what is durable, first updater wins
};

// How files are written.
enum class Io {
  kPwrite,   // pwritev and fdatasync
  kIoUring,  // both in one submission; needs Linux 5.3 and the permission to use it
};

// What writers do while a frozen table is written to disk.
enum class CheckpointMode {
  kPassive,   // go on, and wait only when they outrun the disk
  kTruncate,  // stand still until it is done and the log below is free
};

struct EngineOptions {
  Hasher hasher = Hasher::kFx;
  uint64_t segment_bytes = 64ULL << 20;  // a log file; 1 MiB to 256 MiB, a multiple of 4 KiB
  uint64_t table_slots = 1ULL << 20;   // of one in-memory hash table; a power of two, 2^10 to 2^28
  uint64_t table_bytes = 64ULL << 20;  // of the rows in memory before they are written to a run;
                                       // 64 KiB to 4 GiB
  uint64_t cache_bytes = 32ULL << 20;  // of run blocks in memory
  CheckpointMode checkpoint = CheckpointMode::kPassive;
  bool limit_background = false;  // kPassive: hold checkpoints and merges back to what keeps up
  // How long Begin waits for the writer lock; 0 to 24 hours.
  std::chrono::milliseconds busy_timeout{30000};
  bool create = true;   // make the database when there is none
  std::string creator;  // up to 63 bytes, kept in the manifest of a new database
  Io io = Io::kPwrite;
  FileSystem* file_system = nullptr;  // null: the operating system's, by `io`
};

// What the manifest of an existing database says; had without opening it.
struct DatabaseInfo {
  std::string creator;
  bool in_use = false;
  int64_t holder_pid = 0;  // of the process that has it open; 0: unknown
};

// How the last Open found the log.
struct RecoveryReport {
  bool clean = true;           // the database had been closed, or is new
  uint64_t transactions = 0;   // replayed
  uint64_t rows = 0;           // replayed
  uint64_t bytes_dropped = 0;  // behind the last whole record: never acknowledged
};

// Counts since Open. Bytes as given to the operating system.
struct EngineStatistics {
  uint64_t log_syncs = 0;
  uint64_t log_bytes = 0;          // records and their padding
  uint64_t zero_filled_bytes = 0;  // preparing segments
  uint64_t groups = 0;             // one write and one sync each
  uint64_t commits = 0;            // durable transactions with at least one row
  uint64_t conflicts = 0;
  uint64_t table_freezes = 0;  // how often a full hash table was replaced
  uint64_t checkpoints = 0;    // runs written from frozen tables
  uint64_t merges = 0;
  uint64_t background_bytes = 0;  // written by checkpoints and merges
  uint64_t background_cpu_ns = 0;
  uint64_t stalls = 0;            // how often a writer waited, or began to, for a checkpoint
  uint64_t stall_ns = 0;          // all waits together, that are over
  uint64_t longest_stall_ns = 0;  // since RestartLongest
  uint64_t longest_sync_ns = 0;   // of the log, its write included; likewise

  // At this moment.
  bool checkpoint_running = false;
  bool merge_running = false;
  bool writer_stalled = false;
};

using TableId = uint32_t;

// The rows of a transaction, encoded as they come and checked only at commit: the cheap way for a
// writer that need not know at each row whether it will succeed.
class Batch {
 public:
  // A batch that outgrows a log segment takes no more rows and its commit answers kTooLarge.
  void Insert(TableId table, int64_t key, std::string_view value);
  void Update(TableId table, int64_t key, std::string_view value);
  void Erase(TableId table, int64_t key);

 private:
  friend class Transaction;
  explicit Batch(TransactionState* state) : state_(state) {}
  TransactionState* state_;
};

class Transaction {
 public:
  Transaction() = default;
  Transaction(Transaction&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  Transaction& operator=(Transaction&& other) noexcept;
  ~Transaction();  // rolls back what is open; waits for what CommitAsync submitted

  // Checked at once against this transaction's own rows and its snapshot: kDuplicate for an insert
  // of a live key, kNotFound (which leaves the transaction open) for an update or erase of an
  // absent one, kConflict where a later writer was first. Commit may still answer these.
  Status Insert(TableId table, int64_t key, std::string_view value);
  Status Update(TableId table, int64_t key, std::string_view value);
  Status Erase(TableId table, int64_t key);

  // Sees this transaction's own rows, those of batch() included.
  Result<std::optional<std::string>> Get(TableId table, int64_t key);

  // Calls `row` for each visible row with first <= key <= last in key order until it returns
  // false. The view is valid during the call of `row` only, which must not write through this
  // transaction.
  Status Scan(TableId table, int64_t first, int64_t last,
              const std::function<bool(int64_t key, std::string_view value)>& row);

  // Of the same key twice in a transaction the last wins.
  Batch batch() { return Batch(state_); }

  // Returns when the transaction is durable. Not Ok: none of its rows is visible or in the log,
  // except for kCommitUnknown.
  Status Commit();

  // Claims the rows, joins a group and returns; Await then answers as Commit does. Not Ok: the
  // transaction is over. Later kConcurrent transactions see its rows only once it is durable. A
  // kExclusive transaction is durable, or has failed, when this returns.
  Status CommitAsync();
  bool Durable() const;  // whether Await would return at once
  Status Await();        // sleeps until the group is durable or has failed
  std::chrono::steady_clock::time_point durable_at() const;  // valid after an Ok Await or Commit

  void Rollback();

 private:
  friend class Session;
  explicit Transaction(TransactionState* state) : state_(state) {}
  void Reset();
  TransactionState* state_ = nullptr;
};

// One thread's connection: owns the buffers its transactions are encoded in.
class Session {
 public:
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Result<Transaction> Begin(TransactionKind kind);  // kBusy: no writer lock in time

  // The same in a handle at hand, whose buffers are used again: cheaper for one transaction after
  // the other. Ends what the handle stood for as its destructor would.
  Status Begin(TransactionKind kind, Transaction& transaction);

 private:
  friend class Engine;
  explicit Session(std::unique_ptr<SessionState> state);
  std::unique_ptr<SessionState> state_;
};

class Engine {
 public:
  // `path` is a folder. kInUse: another process has it; kCorruption names file, offset and reason;
  // kUnsupported: see CheckIo.
  static Result<std::unique_ptr<Engine>> Open(const std::string& path,
                                              const EngineOptions& options);

  // Ok, or kUnsupported with the reason: the kernel, the container or this build cannot.
  static Status CheckIo(Io io);

  // Reads the manifest and tests the lock; changes nothing. kNotFound: `path` does not exist;
  // kInvalidArgument: something else than one of our databases is there. kCorruption, kIoError: the
  // manifest is damaged, or cannot be read.
  static Result<DatabaseInfo> Inspect(const std::string& path, FileSystem* file_system = nullptr);

  // Removes a database's own files and its folder; files it does not know stay, and so the folder.
  static Status Remove(const std::string& path, FileSystem* file_system = nullptr);

  ~Engine();  // closes; Close reports what went wrong
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Result<TableId> CreateTable(std::string_view name);  // durable on return; existing: its id
  Result<TableId> FindTable(std::string_view name) const;

  std::unique_ptr<Session> Connect();

  // Merges all runs into one and drops what no open transaction can see.
  Status MergeAll();

  const RecoveryReport& recovery() const;
  EngineStatistics Statistics() const;
  void RestartLongest();  // the longest_* of the statistics begin anew

  // Marks the end of the log, so that any later damage is noticed. No other call may be under way;
  // commits and changes to tables after it answer kInvalidArgument, reads go on. The database stays
  // locked as long as the engine lives.
  Status Close();

 private:
  explicit Engine(std::unique_ptr<Store> store);
  std::unique_ptr<Store> store_;
};

// Of this library, as "major.minor.patch".
std::string_view Version();

}  // namespace burin
