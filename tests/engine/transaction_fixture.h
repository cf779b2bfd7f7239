// What the tests of a single transaction share: a database with one table, and a session, on which
// transactions of the test's kind begin.
//
// Thread rule: as a test fixture's.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "tests/engine/test_database.h"

namespace burin {

class TransactionTest : public testing::TestWithParam<TransactionKind> {
 protected:
  Transaction Begin() { return BeginOn(*session_, GetParam()); }

  // Commits rows that are there before the test's own transaction begins.
  void Given(const Rows& rows) {
    Transaction transaction = Begin();
    for (const auto& [key, value] : rows) transaction.batch().Insert(table_, key, value);
    ASSERT_EQ(Text(transaction.Commit()), "ok");
  }

  Rows Committed() { return AllRows(*engine_, table_); }

  static std::optional<std::string> Value(Transaction& transaction, TableId table, int64_t key) {
    auto value = transaction.Get(table, key);
    EXPECT_TRUE(value.ok()) << value.status().message();
    return value.ok() ? *value : std::nullopt;
  }

  // No call does anything, and each says why.
  void ExpectOver(Transaction& transaction) {
    const auto over = StatusCode::kTransactionOver;
    EXPECT_EQ(transaction.Insert(table_, 77, "x").code(), over);
    EXPECT_EQ(transaction.Update(table_, 1, "x").code(), over);
    EXPECT_EQ(transaction.Erase(table_, 1).code(), over);
    EXPECT_EQ(transaction.Get(table_, 1).status().code(), over);
    const auto nothing = [](int64_t, std::string_view) { return true; };
    EXPECT_EQ(transaction.Scan(table_, 0, 9, nothing).code(), over);
    transaction.batch().Insert(table_, 78, "x");
    EXPECT_EQ(transaction.Commit().code(), over);
    EXPECT_EQ(transaction.CommitAsync().code(), over);
    EXPECT_EQ(transaction.Await().code(), over);
    EXPECT_TRUE(transaction.Durable());
    transaction.Rollback();
    EXPECT_EQ(transaction.Commit().code(), over);
  }

  SimulatedFileSystem files_;
  std::unique_ptr<Engine> engine_ = OpenDatabase(SmallOptions(&files_));
  TableId table_ = MakeTable(*engine_);
  std::unique_ptr<Session> session_ = engine_->Connect();
};

inline const auto kEveryKind = testing::Values(
    TransactionKind::kExclusive, TransactionKind::kSerial, TransactionKind::kConcurrent);

}  // namespace burin
