// A failure in the middle of a group of many: every thread gets its answer, and the right one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "tests/engine/crashed_database.h"
#include "tests/engine/oracle.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

constexpr size_t kThreads = 8;

struct Writers {
  TransactionKind kind;
  size_t in_flight;  // of each thread; 1: each commit is awaited
  const char* name;
};

// Threads that write until they are told something else than Ok, or a thousand times.
class WriterThreads {
 public:
  WriterThreads(Engine& engine, const Writers& writers)
      : engine_(engine), writers_(writers), table_(MakeTable(engine)) {}

  void Run() {
    WithDeadline(seconds(30), [this] {
      std::vector<std::thread> threads;
      for (size_t i = 0; i < kThreads; ++i) threads.emplace_back([this, i] { Write(i); });
      for (std::thread& thread : threads) thread.join();
    });
  }

  const Oracle& oracle() const { return oracle_; }
  int unknown() const { return unknown_.load(); }
  int poisoned() const { return poisoned_.load(); }
  int no_space() const { return no_space_.load(); }

 private:
  struct InFlight {
    Transaction transaction;
    size_t batch;
  };

  void Write(size_t stream) {
    const auto session = engine_.Connect();
    std::vector<InFlight> in_flight;
    bool go_on = true;
    for (int64_t i = 0; go_on && i < 1000; ++i) {
      const int64_t key = i * static_cast<int64_t>(kThreads) + static_cast<int64_t>(stream);
      const std::string value(2000, 'v');
      auto transaction = session->Begin(writers_.kind);
      ASSERT_TRUE(transaction.ok()) << transaction.status().message();
      const size_t batch = oracle_.Submit(stream, {{"table", key, value}});
      transaction->batch().Insert(table_, key, value);
      const Status status =
          writers_.in_flight > 1 ? transaction->CommitAsync() : transaction->Commit();
      if (!status.ok()) {
        Note(status, stream, batch);
        break;
      }
      if (writers_.in_flight == 1) {
        oracle_.Acknowledge(stream, batch);
      } else {
        in_flight.push_back({std::move(*transaction), batch});
        if (in_flight.size() == writers_.in_flight) go_on = AwaitAll(stream, &in_flight);
      }
    }
    AwaitAll(stream, &in_flight);
  }

  bool AwaitAll(size_t stream, std::vector<InFlight>* in_flight) {
    bool all_ok = true;
    for (InFlight& one : *in_flight) {
      const Status status = one.transaction.Await();
      if (status.ok()) {
        oracle_.Acknowledge(stream, one.batch);
      } else {
        all_ok = false;
        Note(status, stream, one.batch);
      }
    }
    in_flight->clear();
    return all_ok;
  }

  void Note(const Status& status, size_t stream, size_t batch) {
    switch (status.code()) {
      case StatusCode::kCommitUnknown:
        ++unknown_;
        break;
      case StatusCode::kPoisoned:
        ++poisoned_;
        oracle_.Withdraw(stream, batch);
        break;
      case StatusCode::kNoSpace:
        ++no_space_;
        oracle_.Withdraw(stream, batch);
        break;
      default:
        ADD_FAILURE() << status.message();
    }
    EXPECT_THAT(Text(status), HasSubstr("/db/log-"));
  }

  Engine& engine_;
  const Writers writers_;
  const TableId table_;
  Oracle oracle_{kThreads};
  std::atomic<int> unknown_{0}, poisoned_{0}, no_space_{0};
};

// Finds the n-th write or sync of a group. Segments made ahead are synced too, but not written to;
// runs and the manifest are other files.
class NthGroupCall {
 public:
  NthGroupCall(FileCall::Kind kind, int n) : kind_(kind), n_(n) {}

  bool Is(const FileCall& call) {
    const std::lock_guard guard(mutex_);
    if (call.path.find("/log-") == std::string::npos) return false;
    if (call.kind == FileCall::Kind::kWrite) written_.insert(call.path);
    return call.kind == kind_ && written_.contains(call.path) && ++count_ == n_;
  }

 private:
  const FileCall::Kind kind_;
  const int n_;
  std::mutex mutex_;
  std::set<std::string> written_;
  int count_ = 0;
};

class GroupFailureTest : public testing::TestWithParam<Writers> {
 protected:
  SimulatedFileSystem files_;
};

TEST_P(GroupFailureTest, AFailedWriteOrSyncPoisonsAndNobodyHangs) {
  const size_t most_in_a_group = kThreads * GetParam().in_flight;
  for (const auto& [kind, fault] : {std::pair{FileCall::Kind::kWrite, Fault::kError},
                                    std::pair{FileCall::Kind::kWrite, Fault::kPartialError},
                                    std::pair{FileCall::Kind::kWrite, Fault::kNoSpace},
                                    std::pair{FileCall::Kind::kSync, Fault::kLostPages}}) {
    for (const int failing : {1, 2, 10}) {
      SimulatedFileSystem files;
      const auto engine = OpenDatabase(SmallOptions(&files));
      WriterThreads writers(*engine, GetParam());
      NthGroupCall nth(kind, failing);
      files.SetHook([&nth, fault = fault](const FileCall& call) {
        return nth.Is(call) ? fault : Fault::kNone;
      });
      writers.Run();
      EXPECT_GE(writers.unknown(), 1);
      EXPECT_LE(static_cast<size_t>(writers.unknown()), most_in_a_group);
      EXPECT_EQ(writers.no_space(), 0);
      EXPECT_EQ(InsertRow(*engine->Connect(), 0, -1, "x").code(), StatusCode::kPoisoned);
      const SimulatedDisk disk = files.Disk();
      EXPECT_EQ(writers.oracle().Check(CrashedDatabase(disk.AfterKill()).engine()), "");
      const std::vector<uint32_t> nothing(disk.Doubts(SimulatedDisk::Tearing::kNo).size(), 0);
      EXPECT_EQ(writers.oracle().Check(CrashedDatabase(disk.AfterPowerCut(nothing)).engine()), "");
    }
  }
}

TEST_P(GroupFailureTest, AFullDiskStopsWritersCleanlyAndTheyGoOnWhenThereIsSpace) {
  for (const Fault fault : {Fault::kNoSpace, Fault::kPartialNoSpace}) {
    SimulatedFileSystem files;
    const auto engine = OpenDatabase(SmallOptions(&files));
    std::atomic<bool> full{true};
    files.SetHook([&](const FileCall& call) {
      const bool takes_space = call.kind == FileCall::Kind::kFillWithZeros;
      return full && takes_space ? fault : Fault::kNone;
    });
    WriterThreads writers(*engine, GetParam());
    writers.Run();
    EXPECT_GE(static_cast<size_t>(writers.no_space()), kThreads);  // every thread was told
    EXPECT_EQ(writers.unknown() + writers.poisoned(), 0);
    EXPECT_EQ(writers.oracle().Check(*engine), "");
    full = false;
    const auto session = engine->Connect();
    EXPECT_EQ(Text(InsertRow(*session, MakeTable(*engine), -1, "x", GetParam().kind)), "ok");
    Transaction clean = BeginOn(*session);
    ASSERT_EQ(Text(clean.Erase(MakeTable(*engine), -1)), "ok");
    ASSERT_EQ(Text(clean.Commit()), "ok");
    EXPECT_EQ(writers.oracle().Check(CrashedDatabase(files.Disk().AfterKill()).engine()), "");
  }
}

TEST_P(GroupFailureTest, AFailedSegmentPreparationIsCleanToo) {
  for (const auto kind :
       {FileCall::Kind::kCreate, FileCall::Kind::kFillWithZeros, FileCall::Kind::kSyncFolder}) {
    SimulatedFileSystem files;
    const auto engine = OpenDatabase(SmallOptions(&files));
    const TableId table = MakeTable(*engine);
    const auto session = engine->Connect();
    std::atomic<bool> broken{true};
    files.SetHook([&](const FileCall& call) {
      return broken && call.kind == kind ? Fault::kError : Fault::kNone;
    });
    Status status;
    int64_t key = 0;
    while (status.ok()) {
      status = InsertRow(*session, table, ++key, std::string(50000, 'x'), GetParam().kind);
      ASSERT_LT(key, 100);
    }
    EXPECT_EQ(status.code(), StatusCode::kIoError);
    broken = false;
    EXPECT_EQ(Text(InsertRow(*session, table, key, "x", GetParam().kind)), "ok");
    EXPECT_EQ(AllRows(*engine, table).size(), static_cast<size_t>(key));
  }
}

INSTANTIATE_TEST_SUITE_P(Writers, GroupFailureTest,
                         testing::Values(Writers{TransactionKind::kExclusive, 1, "Exclusive"},
                                         Writers{TransactionKind::kSerial, 1, "Serial"},
                                         Writers{TransactionKind::kConcurrent, 1, "Concurrent"},
                                         Writers{TransactionKind::kSerial, 16, "SerialPipelined"},
                                         Writers{TransactionKind::kConcurrent, 64,
                                                 "ConcurrentPipelined"}),
                         [](const auto& writers) { return writers.param.name; });

}  // namespace
}  // namespace burin
