// Judges a history of transactions against snapshot isolation.
//
// Every write has a value of its own that names its transaction (WriteId), so a read tells whose
// write it saw. The order of a key's versions follows from the reads: in the histories judged here
// a transaction reads a key before it first writes it, and so names its version's predecessor.
//
// Snapshot isolation, as Cerone and Gotsman define it ("Analysing snapshot isolation", J. ACM 65,
// 2018): there is no cycle of dependencies (write-write, write-read, and here real time: one
// transaction had returned from commit before the other began) and anti-dependencies (a read of a
// version that the other replaced) in which no two anti-dependencies are adjacent. Write skew has
// two adjacent ones, and is allowed.
// Thread rule: a TransactionRecord is written by one thread; FindAnomalies when all are done.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace burin {

// The n-th write of a transaction; transaction 0 stands for "the key is absent".
struct WriteId {
  uint64_t transaction = 0;
  uint32_t number = 0;
  auto operator<=>(const WriteId&) const = default;
};

std::string ToValue(WriteId write);
WriteId FromValue(std::string_view value);  // of what ToValue made

// A clock that all threads share; no two answers are equal.
class HistoryClock {
 public:
  uint64_t Tick() { return ticks_.fetch_add(1) + 1; }

 private:
  std::atomic<uint64_t> ticks_{0};
};

struct TransactionRecord {
  enum class Outcome { kCommitted, kAborted };
  struct Operation {
    bool is_write = false;
    int64_t key = 0;
    WriteId version;    // written or seen
    uint64_t time = 0;  // after it
  };

  uint64_t id = 0;  // from 1, unique
  uint64_t begin_called = 0;
  uint64_t commit_called = 0;    // committed ones
  uint64_t commit_returned = 0;  // committed ones
  Outcome outcome = Outcome::kAborted;
  std::vector<Operation> operations;
};

struct Anomaly {
  enum class Kind {
    kDirtyRead,          // of a transaction that had not called commit yet
    kAbortedRead,        // of a transaction that aborted, or of no transaction at all
    kIntermediateRead,   // of a version that its transaction replaced itself
    kOwnWriteUnseen,     // not the own last write
    kNonRepeatableRead,  // one key, two versions
    kLostUpdate,         // two committed writers of one version
    kReadSkew,           // no single snapshot explains the reads; a stale snapshot is one such
  };
  Kind kind;
  std::string text;
};

std::vector<Anomaly> FindAnomalies(const std::vector<TransactionRecord>& history);

}  // namespace burin
