// What the tests of transactions beside each other share: a database with one table and three
// sessions, whose syncs a test can hold up.
//
// Thread rule: as a test fixture's.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "tests/engine/sync_gate.h"
#include "tests/engine/test_database.h"

namespace burin {

inline constexpr auto kConcurrent = TransactionKind::kConcurrent;
inline constexpr auto kSerial = TransactionKind::kSerial;
inline constexpr auto kExclusive = TransactionKind::kExclusive;

class ConcurrencyTest : public testing::Test {
 protected:
  static EngineOptions Options(FileSystem* files) {
    EngineOptions options = SmallOptions(files);
    options.busy_timeout = std::chrono::milliseconds(20);
    return options;
  }

  ConcurrencyTest() { gate_.Install(&files_); }
  ~ConcurrencyTest() override { gate_.Open(); }

  std::optional<std::string> Get(Transaction& transaction, int64_t key) {
    auto value = transaction.Get(table_, key);
    EXPECT_TRUE(value.ok()) << value.status().message();
    return value.ok() ? *value : std::nullopt;
  }

  void Put(int64_t key, const std::string& value, bool update = false) {
    Transaction transaction = BeginOn(*other_);
    if (update) {
      transaction.batch().Update(table_, key, value);
    } else {
      transaction.batch().Insert(table_, key, value);
    }
    ASSERT_EQ(Text(transaction.Commit()), "ok");
  }

  SyncGate gate_;
  SimulatedFileSystem files_;
  std::unique_ptr<Engine> engine_ = OpenDatabase(Options(&files_));
  TableId table_ = MakeTable(*engine_);
  std::unique_ptr<Session> first_ = engine_->Connect();
  std::unique_ptr<Session> second_ = engine_->Connect();
  std::unique_ptr<Session> other_ = engine_->Connect();
};

}  // namespace burin
