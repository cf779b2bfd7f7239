// Failing files: every call of a workload fails once in every way it can. Nothing acknowledged is
// lost, nothing is acknowledged that was not, and what the engine says fits what it then does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

#include "tests/engine/crashed_database.h"
#include "tests/engine/oracle.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

constexpr int kCommits = 200;

// Whether the call can fail in that way, and in no way tried under another name.
bool CanFail(const FileCall& call, Fault fault) {
  const bool has_data =
      call.kind == FileCall::Kind::kWrite || call.kind == FileCall::Kind::kFillWithZeros;
  switch (fault) {
    case Fault::kNone:
      return false;
    case Fault::kError:
      return true;
    case Fault::kNoSpace:
      return call.Changes();
    case Fault::kPartialError:
    case Fault::kPartialNoSpace:
      return has_data;
    case Fault::kLostPages:
      return call.kind == FileCall::Kind::kSync;
  }
  return false;
}

// 200 commits over several segments, with the n-th call that can fail in a given way failing. After
// a failure that left nothing the same is tried again; after one that poisoned the engine the end
// is checked.
class FailingWorkload {
 public:
  FailingWorkload(uint64_t failing_call, Fault fault) : failing_call_(failing_call) {
    files_.SetHook([this, failing_call, fault](const FileCall& call) {
      const std::lock_guard guard(mutex_);
      calls_.push_back(call);
      if (!CanFail(call, fault) || could_fail_++ != failing_call) return Fault::kNone;
      failed_path_ = call.path;
      return fault;
    });
  }

  void Run() {
    auto opened = Engine::Open(kDatabase, SmallOptions(&files_));
    if (!opened.ok()) {
      ExpectClean(opened.status());
      opened = Engine::Open(kDatabase, SmallOptions(&files_));
    }
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    engine_ = std::move(*opened);
    if (MakeTheTable()) WriteAll();
    const Status closed = engine_->Close();
    EXPECT_TRUE(closed.ok() || failed()) << closed.message();
    engine_.reset();
    ExpectNothingLost();
  }

  bool failed() const { return !failed_path().empty(); }
  uint64_t could_fail() const { return could_fail_; }  // calls; after Run

 private:
  std::string failed_path() const {
    const std::lock_guard guard(mutex_);
    return failed_path_;
  }

  // Of the file that failed, which is the log's.
  int64_t Syncs() const {
    const std::lock_guard guard(mutex_);
    return std::count_if(calls_.begin(), calls_.end(), [this](const FileCall& call) {
      return call.kind == FileCall::Kind::kSync && call.path == failed_path_;
    });
  }

  // Small rows, and some that fill a segment.
  static std::string Value(int64_t key) {
    return std::string(key % 60 == 59 ? 400000 : 30, static_cast<char>('a' + key % 26));
  }

  // The failing file is named, and the call can be repeated.
  void ExpectClean(const Status& status) {
    EXPECT_THAT(status.code(), AnyOf(StatusCode::kIoError, StatusCode::kNoSpace));
    EXPECT_THAT(Text(status), HasSubstr(failed_path()));
  }

  bool MakeTheTable() {
    for (int attempt = 0; attempt < 2; ++attempt) {
      const auto table = engine_->CreateTable("table");
      if (table.ok()) {
        table_ = *table;
        return true;
      }
      if (table.status().code() == StatusCode::kCommitUnknown) {
        EXPECT_EQ(engine_->CreateTable("table").status().code(), StatusCode::kPoisoned);
        return false;
      }
      ExpectClean(table.status());
    }
    ADD_FAILURE() << "a clean failure could not be repeated";
    return false;
  }

  void WriteAll() {
    const auto session = engine_->Connect();
    for (int64_t key = 0; key < kCommits; ++key) {
      const size_t batch = oracle_.Submit(0, {{"table", key, Value(key)}});
      Status status = InsertRow(*session, table_, key, Value(key));
      if (!status.ok() && status.code() != StatusCode::kCommitUnknown) {
        ExpectClean(status);
        status = InsertRow(*session, table_, key, Value(key));
        EXPECT_EQ(Text(status), "ok") << "a clean failure could not be repeated";
      }
      if (!status.ok()) {
        EXPECT_THAT(Text(status), HasSubstr(failed_path()));
        ExpectPoisoned(*session, key);
        return;
      }
      oracle_.Acknowledge(0, batch);
    }
  }

  // No more commits, and no more syncs; what was durable stays readable.
  void ExpectPoisoned(Session& session, int64_t durable_rows) {
    const int64_t syncs = Syncs();
    for (const int64_t key : {durable_rows, int64_t{kCommits + 1}}) {
      const Status status = InsertRow(session, table_, key, "x");
      EXPECT_THAT(status.code(), AnyOf(StatusCode::kPoisoned, StatusCode::kConflict));
    }
    const Status status = InsertRow(session, table_, kCommits + 2, "x");
    EXPECT_EQ(status.code(), StatusCode::kPoisoned);
    EXPECT_THAT(Text(status), HasSubstr(failed_path()));
    EXPECT_EQ(engine_->CreateTable("other").status().code(), StatusCode::kPoisoned);
    EXPECT_EQ(Syncs(), syncs);
    Transaction reader = BeginOn(session);
    EXPECT_EQ(AllRows(reader, table_).size(), static_cast<size_t>(durable_rows));
    EXPECT_EQ(Text(reader.Commit()), "ok");
  }

  // Whether the program was killed or the power cut, every other run the one or the other.
  void ExpectNothingLost() const {
    const SimulatedDisk disk = files_.Disk();
    const std::vector<uint32_t> nothing(disk.Doubts(SimulatedDisk::Tearing::kNo).size(), 0);
    const bool killed = failing_call_ % 2 == 0;
    const CrashedDatabase reopened(killed ? disk.AfterKill() : disk.AfterPowerCut(nothing));
    EXPECT_EQ(oracle_.Check(reopened.engine()), "");
  }

  const uint64_t failing_call_;
  SimulatedFileSystem files_;
  mutable std::mutex mutex_;
  std::vector<FileCall> calls_;
  uint64_t could_fail_ = 0;
  std::string failed_path_;
  std::unique_ptr<Engine> engine_;
  TableId table_ = 0;
  Oracle oracle_;
};

class FailureTest : public testing::TestWithParam<Fault> {};

TEST_P(FailureTest, EveryCallMayFailOnce) {
  FailingWorkload undisturbed(UINT64_MAX, GetParam());
  undisturbed.Run();
  ASSERT_GE(undisturbed.could_fail(), static_cast<uint64_t>(kCommits));
  for (uint64_t call = 0; call < undisturbed.could_fail() && !HasFailure(); ++call) {
    SCOPED_TRACE("call " + std::to_string(call) + " of those that can fails");
    FailingWorkload workload(call, GetParam());
    workload.Run();
  }
}

std::string FaultName(const testing::TestParamInfo<Fault>& fault) {
  constexpr const char* kNames[] = {"None",    "Error",          "PartialError",
                                    "NoSpace", "PartialNoSpace", "LostPages"};
  return kNames[static_cast<int>(fault.param)];
}

INSTANTIATE_TEST_SUITE_P(Faults, FailureTest,
                         testing::Values(Fault::kError, Fault::kPartialError, Fault::kNoSpace,
                                         Fault::kPartialNoSpace, Fault::kLostPages),
                         FaultName);

TEST(OpeningFailureTest, AnUnreadableFileIsNeitherDamageNorANewDatabase) {
  SimulatedFileSystem files;
  {
    const auto engine = OpenDatabase(SmallOptions(&files));
    EXPECT_EQ(Text(InsertRow(*engine->Connect(), MakeTable(*engine), 1, "one")), "ok");
  }
  const SimulatedDisk disk = files.Disk();
  for (uint64_t failing = 0;; ++failing) {
    SimulatedFileSystem again(disk);
    std::string failed;
    again.SetHook([&](const FileCall& call) {
      if (call.index != failing) return Fault::kNone;
      failed = call.path;
      return Fault::kError;
    });
    const Status status = Engine::Open(kDatabase, SmallOptions(&again)).TakeStatus();
    if (status.ok()) {
      ASSERT_GT(failing, 5u);
      break;
    }
    ASSERT_EQ(status.code(), StatusCode::kIoError) << status.message();
    ASSERT_THAT(Text(status), HasSubstr(failed));
    again.SetHook(nullptr);
    const auto engine = OpenDatabase(SmallOptions(&again));
    ASSERT_EQ(AllRows(*engine, MakeTable(*engine)), (Rows{{1, "one"}}));
  }
}

}  // namespace
}  // namespace burin
