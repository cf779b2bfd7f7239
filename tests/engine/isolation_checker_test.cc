// Hand-written histories: the checker must see each anomaly, and must not see one where there is
// none.
#include "tests/engine/isolation_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace burin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Kind = Anomaly::Kind;
using Outcome = TransactionRecord::Outcome;

// Writes a history down in the order of time, over any number of transactions.
class History {
 public:
  void Begin(uint64_t id) {
    transactions_.resize(std::max(transactions_.size(), static_cast<size_t>(id)));
    transactions_[id - 1].id = id;
    transactions_[id - 1].begin_called = clock_.Tick();
  }
  void Read(uint64_t id, int64_t key, WriteId version) {
    transactions_[id - 1].operations.push_back({false, key, version, clock_.Tick()});
  }
  void Write(uint64_t id, int64_t key, uint32_t number = 1) {
    transactions_[id - 1].operations.push_back({true, key, {id, number}, clock_.Tick()});
  }
  void Commit(uint64_t id) {
    transactions_[id - 1].commit_called = clock_.Tick();
    transactions_[id - 1].commit_returned = clock_.Tick();
    transactions_[id - 1].outcome = Outcome::kCommitted;
  }

  // Transaction 1 makes the keys 1 and 2.
  void MakeTwoKeys() {
    Begin(1);
    for (const int64_t key : {1, 2}) {
      Read(1, key, {});
      Write(1, key);
    }
    Commit(1);
  }

  std::vector<Kind> Anomalies() const {
    std::vector<Kind> kinds;
    for (const Anomaly& anomaly : FindAnomalies(transactions_)) kinds.push_back(anomaly.kind);
    return kinds;
  }

 private:
  HistoryClock clock_;
  std::vector<TransactionRecord> transactions_;
};

TEST(IsolationCheckerTest, ValuesNameTheirWrite) {
  EXPECT_EQ(FromValue(ToValue({12345678901, 7})), (WriteId{12345678901, 7}));
}

TEST(IsolationCheckerTest, ASerialHistoryIsFine) {
  History history;
  history.MakeTwoKeys();
  history.Begin(2);
  history.Read(2, 1, {1, 1});
  history.Write(2, 1, 1);
  history.Write(2, 1, 2);
  history.Read(2, 1, {2, 2});
  history.Commit(2);
  history.Begin(3);
  history.Read(3, 1, {2, 2});
  history.Read(3, 2, {1, 1});
  history.Commit(3);
  EXPECT_THAT(history.Anomalies(), IsEmpty());
}

TEST(IsolationCheckerTest, AnOldSnapshotIsFineWhileTheWriterWasConcurrent) {
  History history;
  history.MakeTwoKeys();
  history.Begin(2);
  history.Begin(3);
  history.Read(3, 1, {1, 1});
  history.Write(3, 1);
  history.Commit(3);
  history.Read(2, 1, {1, 1});
  history.Read(2, 2, {1, 1});
  history.Commit(2);
  EXPECT_THAT(history.Anomalies(), IsEmpty());
}

TEST(IsolationCheckerTest, WriteSkewIsAllowed) {
  History history;
  history.MakeTwoKeys();
  history.Begin(2);
  history.Begin(3);
  for (const uint64_t id : {2, 3}) {
    history.Read(id, 1, {1, 1});
    history.Read(id, 2, {1, 1});
  }
  history.Write(2, 1);
  history.Write(3, 2);
  history.Commit(2);
  history.Commit(3);
  EXPECT_THAT(history.Anomalies(), IsEmpty());
}

TEST(IsolationCheckerTest, ALostUpdateIsFound) {
  History history;
  history.MakeTwoKeys();
  history.Begin(2);
  history.Begin(3);
  for (const uint64_t id : {2, 3}) {
    history.Read(id, 1, {1, 1});
    history.Write(id, 1);
    history.Commit(id);
  }
  EXPECT_THAT(history.Anomalies(), ElementsAre(Kind::kLostUpdate));
}

TEST(IsolationCheckerTest, ADirtyReadIsFound) {
  History history;
  history.MakeTwoKeys();
  history.Begin(2);
  history.Begin(3);
  history.Read(2, 1, {1, 1});
  history.Write(2, 1);
  history.Read(3, 1, {2, 1});
  history.Commit(2);
  EXPECT_THAT(history.Anomalies(), ElementsAre(Kind::kDirtyRead));
}

TEST(IsolationCheckerTest, AnAbortedReadIsFound) {
  History history;
  history.MakeTwoKeys();
  history.Begin(2);
  history.Write(2, 1);
  history.Begin(3);
  history.Read(3, 1, {2, 1});
  EXPECT_THAT(history.Anomalies(), ElementsAre(Kind::kAbortedRead));
}

TEST(IsolationCheckerTest, AValueNobodyWroteIsFound) {
  History history;
  history.Begin(1);
  history.Read(1, 1, {99, 1});
  EXPECT_THAT(history.Anomalies(), ElementsAre(Kind::kAbortedRead));
}

TEST(IsolationCheckerTest, AnIntermediateReadIsFound) {
  History history;
  history.Begin(1);
  history.Read(1, 1, {});
  history.Write(1, 1, 1);
  history.Write(1, 1, 2);
  history.Commit(1);
  history.Begin(2);
  history.Read(2, 1, {1, 1});
  EXPECT_THAT(history.Anomalies(), ElementsAre(Kind::kIntermediateRead));
}

TEST(IsolationCheckerTest, AnUnseenOwnWriteIsFound) {
  History history;
  history.Begin(1);
  history.Write(1, 1);
  history.Read(1, 1, {});
  EXPECT_THAT(history.Anomalies(), ElementsAre(Kind::kOwnWriteUnseen));
}

TEST(IsolationCheckerTest, ANonRepeatableReadIsFound) {
  History history;
  history.MakeTwoKeys();
  history.Begin(2);
  history.Read(2, 1, {1, 1});
  history.Begin(3);
  history.Read(3, 1, {1, 1});
  history.Write(3, 1);
  history.Commit(3);
  history.Read(2, 1, {3, 1});
  EXPECT_THAT(history.Anomalies(), ElementsAre(Kind::kNonRepeatableRead));
}

TEST(IsolationCheckerTest, ReadSkewIsFound) {
  History history;
  history.MakeTwoKeys();
  history.Begin(2);
  history.Read(2, 1, {1, 1});
  history.Begin(3);
  for (const int64_t key : {1, 2}) {
    history.Read(3, key, {1, 1});
    history.Write(3, key);
  }
  history.Commit(3);
  history.Read(2, 2, {3, 1});
  EXPECT_THAT(history.Anomalies(), ElementsAre(Kind::kReadSkew));
}

TEST(IsolationCheckerTest, AStaleSnapshotIsFound) {
  History history;
  history.MakeTwoKeys();
  history.Begin(2);
  history.Read(2, 1, {1, 1});
  history.Write(2, 1);
  history.Commit(2);
  history.Begin(3);
  history.Read(3, 1, {1, 1});
  EXPECT_THAT(history.Anomalies(), ElementsAre(Kind::kReadSkew));
}

TEST(IsolationCheckerTest, TwoReadersThatSeeTwoWritersInOppositeOrderAreFound) {
  History history;
  history.MakeTwoKeys();
  history.Begin(2);
  history.Begin(3);
  history.Begin(4);
  history.Begin(5);
  history.Read(2, 1, {1, 1});
  history.Write(2, 1);
  history.Read(3, 2, {1, 1});
  history.Write(3, 2);
  history.Commit(2);
  history.Commit(3);
  history.Read(4, 1, {2, 1});
  history.Read(4, 2, {1, 1});
  history.Read(5, 1, {1, 1});
  history.Read(5, 2, {3, 1});
  EXPECT_THAT(history.Anomalies(), ElementsAre(Kind::kReadSkew));
}

}  // namespace
}  // namespace burin
