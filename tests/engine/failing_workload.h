// 200 commits over several segments, checkpoints, merges and reads, with the n-th call that can
// fail in a given way failing.
//
// After a failure that left nothing the same is tried again and must work; after one that poisoned
// the engine the promises of a poisoned one are checked; at the end the program is killed or the
// power cut, and the database is opened anew.
// Thread rule: one thread; the engine's threads only count calls, under a lock.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "tests/engine/oracle.h"
#include "tests/engine/simulated_file_system.h"
#include "tests/engine/test_database.h"

namespace burin {

class FailingWorkload {
 public:
  static constexpr int64_t kCommits = 200;
  static constexpr uint64_t kNever = UINT64_MAX;

  FailingWorkload(uint64_t failing_call, Fault fault);

  void Run();  // what goes wrong is a test failure

  // After Run.
  uint64_t could_fail() const { return could_fail_; }  // calls
  uint64_t Count(FileCall::Kind kind, const std::string& in_path) const;
  const EngineStatistics& statistics() const { return statistics_; }
  bool poisoned() const { return poisoned_; }

 private:
  enum class Outcome { kDone, kPoisoned };

  Fault Answer(const FileCall& call, Fault fault);
  std::string FailedPath() const;
  void Open();
  Outcome Try(const std::function<Status()>& action);
  void ExpectClean(const Status& status) const;
  bool MakeTheTable();
  void WriteAll();
  bool Commit(Session& session, int64_t number);
  Oracle::Changes ChangesOf(int64_t number) const;
  Status Write(Session& session, const Oracle::Changes& changes) const;
  Status Read(Session& session, int64_t key) const;
  void ExpectPoisoned(Session& session);
  void ExpectNothingLost() const;

  const uint64_t failing_call_;
  SimulatedFileSystem files_;
  mutable std::mutex mutex_;
  std::vector<FileCall> calls_;
  uint64_t could_fail_ = 0;
  std::string failed_path_;
  std::unique_ptr<Engine> engine_;
  EngineStatistics statistics_;
  bool poisoned_ = false;
  TableId table_ = 0;
  Rows content_;  // acknowledged
  std::unique_ptr<Session> early_session_;
  Transaction early_;  // open from the middle of the workload on
  Rows early_content_;
  Oracle oracle_;
};

}  // namespace burin
