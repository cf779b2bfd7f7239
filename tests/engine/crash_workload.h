// A short random life of a database on simulated files, with the disk as it stood before each call
// that changes it: what a power cut at that moment starts from.
//
// One writer with checked rows or batches, awaited or pipelined transactions, small and large
// values, segments that fill up and are used again, tables that become runs, merges, a clean close
// and a reopening in between. Seeded, and the same for the same seed as far as the engine's own
// threads allow.
// Thread rule: one thread; the engine's threads only add moments, under a lock.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "tests/engine/oracle.h"
#include "tests/engine/simulated_file_system.h"

namespace burin {

struct CrashMoment {
  std::string before_call;  // for messages
  SimulatedDisk disk;
  Oracle::Horizon horizon;
};

// The smallest tables there are: a few batches become a run, and a few more a merge.
EngineOptions CrashOptions(FileSystem* files);

// All rows of the tables that a CrashWorkload writes.
using CrashContent = std::map<std::pair<std::string, int64_t>, std::string>;
CrashContent ReadContent(Engine& engine);

class CrashWorkload {
 public:
  // Goes on from `start`, which holds no database, or one with `content`.
  CrashWorkload(const SimulatedDisk& start, CrashContent content, uint64_t seed);

  void Run(int batches);  // errors are test failures

  const std::vector<CrashMoment>& moments() const { return moments_; }
  const Oracle& oracle() const { return oracle_; }

 private:
  struct InFlight {
    Transaction transaction;
    size_t batch;
  };

  void Observe(const FileCall& call);
  void Open();
  void CloseAndReopen();
  void WriteBatch();
  Oracle::Changes MakeChanges();
  std::string MakeValue();
  void Submit(Oracle::Changes changes);
  void AwaitAll();
  uint64_t Random(uint64_t below) { return random_() % below; }

  SimulatedFileSystem files_;
  std::mt19937_64 random_;
  TransactionKind kind_;
  size_t most_in_flight_;
  size_t longest_value_;

  std::mutex mutex_;
  std::vector<CrashMoment> moments_;
  Oracle oracle_;

  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Session> session_;
  std::map<std::string, TableId> tables_;
  CrashContent content_;                              // with all that was submitted
  std::set<std::pair<std::string, int64_t>> moving_;  // keys of transactions in flight
  std::vector<InFlight> in_flight_;
};

}  // namespace burin
