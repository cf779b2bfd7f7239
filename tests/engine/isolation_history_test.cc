// Random histories by several threads on a few hot keys, judged by the isolation checker.
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "tests/engine/isolation_checker.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

constexpr int64_t kKeys = 6;

// One thread's transactions, written down as they go.
class Client {
 public:
  Client(Engine& engine, TableId table, HistoryClock& clock, std::vector<TransactionKind> kinds,
         uint64_t number)
      : table_(table),
        clock_(clock),
        kinds_(std::move(kinds)),
        random_(number),
        next_id_(number * 1'000'000 + 1),
        session_(engine.Connect()) {}

  void Run(int transactions) {
    for (int i = 0; i < transactions; ++i) RunTransaction();
  }

  const std::vector<TransactionRecord>& history() const { return history_; }
  int committed_writers() const { return committed_writers_; }

 private:
  void RunTransaction() {
    TransactionRecord record;
    record.id = next_id_++;
    record.begin_called = clock_.Tick();
    Transaction transaction = BeginOn(*session_, kinds_[Random(kinds_.size())]);
    bool open = true;
    for (uint64_t steps = 1 + Random(6); open && steps > 0; --steps) {
      if (Random(8) == 0) std::this_thread::yield();
      open = Random(4) == 0 ? Scan(transaction, &record) : ReadAndMayWrite(transaction, &record);
    }
    if (open && Random(10) != 0) Commit(transaction, &record);
    history_.push_back(std::move(record));
  }

  bool Scan(Transaction& transaction, TransactionRecord* record) {
    std::map<int64_t, WriteId> seen;
    for (int64_t key = 0; key < kKeys; ++key) seen[key] = WriteId();
    const Status status =
        transaction.Scan(table_, 0, kKeys, [&](int64_t key, std::string_view value) {
          seen[key] = FromValue(value);
          return true;
        });
    if (!Expected(status)) return false;
    for (const auto& [key, version] : seen) {
      record->operations.push_back({false, key, version, clock_.Tick()});
    }
    return true;
  }

  bool ReadAndMayWrite(Transaction& transaction, TransactionRecord* record) {
    const auto key = static_cast<int64_t>(Random(kKeys));
    const auto value = transaction.Get(table_, key);
    if (!Expected(value.status())) return false;
    const WriteId seen = value->has_value() ? FromValue(**value) : WriteId();
    record->operations.push_back({false, key, seen, clock_.Tick()});
    if (Random(2) == 0) return true;
    const WriteId write{record->id, static_cast<uint32_t>(record->operations.size())};
    Status status;
    if (Random(2) == 0) {
      value->has_value() ? transaction.batch().Update(table_, key, ToValue(write))
                         : transaction.batch().Insert(table_, key, ToValue(write));
    } else {
      status = value->has_value() ? transaction.Update(table_, key, ToValue(write))
                                  : transaction.Insert(table_, key, ToValue(write));
    }
    if (!Expected(status)) return false;
    record->operations.push_back({true, key, write, clock_.Tick()});
    return true;
  }

  void Commit(Transaction& transaction, TransactionRecord* record) {
    record->commit_called = clock_.Tick();
    Status status = Random(2) == 0 ? transaction.Commit() : transaction.CommitAsync();
    if (Expected(status) && !transaction.Durable()) status = transaction.Await();
    if (status.ok()) {
      // What CommitAsync submitted may have become durable at once.
      const Status again = transaction.Await();
      EXPECT_TRUE(again.ok() || again.code() == StatusCode::kTransactionOver) << again.message();
      record->outcome = TransactionRecord::Outcome::kCommitted;
      for (const auto& operation : record->operations) {
        if (!operation.is_write) continue;
        ++committed_writers_;
        break;
      }
    }
    record->commit_returned = clock_.Tick();
  }

  // Ok, or what concurrency may bring.
  static bool Expected(const Status& status) {
    EXPECT_TRUE(status.ok() || status.code() == StatusCode::kConflict ||
                status.code() == StatusCode::kDuplicate)
        << status.message();
    return status.ok();
  }

  uint64_t Random(uint64_t below) { return random_() % below; }

  const TableId table_;
  HistoryClock& clock_;
  const std::vector<TransactionKind> kinds_;
  std::mt19937_64 random_;
  uint64_t next_id_;
  int committed_writers_ = 0;
  const std::unique_ptr<Session> session_;
  std::vector<TransactionRecord> history_;
};

void ExpectSnapshotIsolation(const std::vector<TransactionKind>& kinds, uint64_t seed) {
  constexpr uint64_t kThreads = 4;
  constexpr int kTransactions = 400;
  SimulatedFileSystem files;
  const auto engine = OpenDatabase(SmallOptions(&files));
  const TableId table = MakeTable(*engine);
  HistoryClock clock;
  std::vector<std::unique_ptr<Client>> clients;
  for (uint64_t i = 0; i < kThreads; ++i) {
    clients.push_back(
        std::make_unique<Client>(*engine, table, clock, kinds, 1 + seed * kThreads + i));
  }
  WithDeadline(std::chrono::seconds(60), [&] {
    std::vector<std::thread> threads;
    for (auto& client : clients) {
      threads.emplace_back([&client] { client->Run(kTransactions); });
    }
    for (std::thread& thread : threads) thread.join();
  });
  std::vector<TransactionRecord> history;
  int committed_writers = 0;
  for (const auto& client : clients) {
    history.insert(history.end(), client->history().begin(), client->history().end());
    committed_writers += client->committed_writers();
  }
  EXPECT_GT(committed_writers, 100);
  for (const Anomaly& anomaly : FindAnomalies(history)) ADD_FAILURE() << anomaly.text;
}

class IsolationHistoryTest : public testing::TestWithParam<TransactionKind> {};

TEST_P(IsolationHistoryTest, EveryHistoryIsSnapshotIsolated) {
  for (uint64_t seed = 0; seed < 4 && !HasFailure(); ++seed) {
    ExpectSnapshotIsolation({GetParam()}, seed);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, IsolationHistoryTest,
                         testing::Values(TransactionKind::kExclusive, TransactionKind::kSerial,
                                         TransactionKind::kConcurrent),
                         KindName);

TEST(MixedIsolationHistoryTest, KindsMayBeMixed) {
  for (uint64_t seed = 0; seed < 4 && !HasFailure(); ++seed) {
    ExpectSnapshotIsolation({TransactionKind::kExclusive, TransactionKind::kSerial,
                             TransactionKind::kConcurrent, TransactionKind::kConcurrent},
                            seed);
  }
}

}  // namespace
}  // namespace burin
