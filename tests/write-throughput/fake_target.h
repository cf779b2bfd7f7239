// A target that keeps its rows in memory and misbehaves on demand.
// Thread rule: as target.h says; what it keeps is under a lock.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "apps/write-throughput/targets/target.h"

namespace throughput {

// What a fake database does wrong; nothing by default.
struct Misbehaviour {
  // lies
  std::set<int64_t> drop;                 // rows that are acknowledged and not kept
  std::set<int64_t> change;               // rows whose value comes back changed
  std::set<int64_t> duplicate;            // rows that come back twice
  std::map<int64_t, std::string> invent;  // rows that nobody wrote

  // refusals, by the number of the attempt from 1, counted over all connections; each may be null
  std::function<Outcome(int attempt)> begin;
  std::function<Outcome(int attempt)> commit;  // also of Submit
  std::function<Outcome(int attempt)> await;

  std::function<void(int64_t id)> on_insert;  // may throw, or crash the process
  std::string connect_failure;
  std::string create_failure;
  std::string reopen_failure;
};

// Shared by all targets and connections that are made from one.
struct FakeDatabase {
  Misbehaviour misbehaviour;
  TargetCounts background;  // what Counts() tells beside the syncs
  std::function<void()> on_restart_longest;
  std::mutex mutex;
  std::map<int64_t, std::string> rows;
  int begins = 0;
  int commits = 0;
  int awaits = 0;
  int rollbacks = 0;
};

std::unique_ptr<Target> MakeFakeTarget(FakeDatabase& database);

// An entry for a table of targets: "fake", with all modes and without files.
TargetInfo FakeTargetInfo(FakeDatabase& database);

}  // namespace throughput
