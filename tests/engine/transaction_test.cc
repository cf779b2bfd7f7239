// What a single transaction may do and sees, in all three kinds.
#include <gtest/gtest.h>

#include "tests/engine/transaction_fixture.h"

namespace burin {
namespace {

TEST_P(TransactionTest, CommittedRowsAreVisibleToTheNext) {
  Given({{1, "one"}, {2, "two"}});
  Transaction transaction = Begin();
  ASSERT_EQ(Text(transaction.Update(table_, 1, "eins")), "ok");
  ASSERT_EQ(Text(transaction.Erase(table_, 2)), "ok");
  ASSERT_EQ(Text(transaction.Insert(table_, 3, "drei")), "ok");
  ASSERT_EQ(Text(transaction.Commit()), "ok");
  EXPECT_EQ(Committed(), (Rows{{1, "eins"}, {3, "drei"}}));
}

TEST_P(TransactionTest, ItsOwnRowsAreVisibleBeforeTheCommitAndToNobodyElse) {
  Given({{1, "one"}, {2, "two"}});
  Transaction transaction = Begin();
  ASSERT_EQ(Text(transaction.Insert(table_, 3, "three")), "ok");
  transaction.batch().Insert(table_, 4, "four");
  ASSERT_EQ(Text(transaction.Update(table_, 1, "uno")), "ok");
  transaction.batch().Erase(table_, 2);
  EXPECT_EQ(Value(transaction, table_, 1), "uno");
  EXPECT_EQ(Value(transaction, table_, 2), std::nullopt);
  EXPECT_EQ(Value(transaction, table_, 3), "three");
  EXPECT_EQ(Value(transaction, table_, 4), "four");
  EXPECT_EQ(AllRows(transaction, table_), (Rows{{1, "uno"}, {3, "three"}, {4, "four"}}));
  EXPECT_EQ(Committed(), (Rows{{1, "one"}, {2, "two"}}));
}

TEST_P(TransactionTest, OwnRowsStayReadableWhileTheBatchGrows) {
  Transaction transaction = Begin();
  for (int64_t key = 0; key < 3000; ++key) {
    transaction.batch().Insert(table_, key, std::string(100, static_cast<char>('a' + key % 26)));
    if (key % 100 == 0) {
      ASSERT_EQ(Value(transaction, table_, 0), std::string(100, 'a'));
    }
  }
  EXPECT_EQ(AllRows(transaction, table_).size(), 3000u);
  ASSERT_EQ(Text(transaction.Commit()), "ok");
  EXPECT_EQ(Committed().size(), 3000u);
}

TEST_P(TransactionTest, UpdateAndEraseOfAnAbsentKeyLeaveItOpen) {
  Given({{1, "one"}});
  Transaction transaction = Begin();
  ASSERT_EQ(Text(transaction.Erase(table_, 1)), "ok");
  EXPECT_EQ(transaction.Update(table_, 1, "x").code(), StatusCode::kNotFound);  // its own erasure
  EXPECT_EQ(transaction.Erase(table_, 1).code(), StatusCode::kNotFound);
  EXPECT_EQ(transaction.Update(table_, 2, "x").code(), StatusCode::kNotFound);
  EXPECT_EQ(transaction.Erase(table_, 2).code(), StatusCode::kNotFound);
  ASSERT_EQ(Text(transaction.Insert(table_, 3, "three")), "ok");
  ASSERT_EQ(Text(transaction.Commit()), "ok");
  EXPECT_EQ(Committed(), (Rows{{3, "three"}}));
}

TEST_P(TransactionTest, AnErasedKeyCanBeInsertedAgain) {
  Given({{1, "one"}, {2, "two"}});
  Transaction transaction = Begin();
  ASSERT_EQ(Text(transaction.Erase(table_, 1)), "ok");
  ASSERT_EQ(Text(transaction.Insert(table_, 1, "within one transaction")), "ok");
  ASSERT_EQ(Text(transaction.Erase(table_, 2)), "ok");
  ASSERT_EQ(Text(transaction.Commit()), "ok");
  EXPECT_EQ(Committed(), (Rows{{1, "within one transaction"}}));
  Given({{2, "in a later one"}});
  EXPECT_EQ(Committed(), (Rows{{1, "within one transaction"}, {2, "in a later one"}}));
}

TEST_P(TransactionTest, OfTheSameKeyTwiceTheLastWins) {
  Given({{1, "one"}, {2, "two"}});
  Transaction transaction = Begin();
  Batch batch = transaction.batch();
  batch.Update(table_, 1, "first");
  batch.Insert(table_, 3, "first");
  batch.Update(table_, 1, "second");
  batch.Erase(table_, 2);
  batch.Insert(table_, 2, "reborn");
  batch.Update(table_, 3, "second");
  batch.Erase(table_, 3);
  batch.Update(table_, 1, "third");
  const Rows expected{{1, "third"}, {2, "reborn"}};
  EXPECT_EQ(AllRows(transaction, table_), expected);
  ASSERT_EQ(Text(transaction.Commit()), "ok");
  EXPECT_EQ(Committed(), expected);
  SimulatedFileSystem reopened(files_.Disk().AfterKill());
  EXPECT_EQ(AllRows(*OpenDatabase(SmallOptions(&reopened)), table_), expected);
}

TEST_P(TransactionTest, ScansGoInOrderOverTheWholeRangeOfKeys) {
  const Rows rows{{INT64_MIN, "min"}, {INT64_MIN + 1, "min + 1"},
                  {-2, "-2"},         {-1, "-1"},
                  {0, "0"},           {1, "1"},
                  {2, "2"},           {INT64_MAX - 1, "m"},
                  {INT64_MAX, "max"}};
  Given(rows);
  Transaction transaction = Begin();
  EXPECT_EQ(AllRows(transaction, table_), rows);
  EXPECT_EQ(AllRows(transaction, table_, -1, 1), (Rows{{-1, "-1"}, {0, "0"}, {1, "1"}}));
  EXPECT_EQ(AllRows(transaction, table_, INT64_MIN, INT64_MIN), (Rows{{INT64_MIN, "min"}}));
  EXPECT_EQ(AllRows(transaction, table_, INT64_MAX, INT64_MAX), (Rows{{INT64_MAX, "max"}}));
  EXPECT_EQ(AllRows(transaction, table_, 3, INT64_MAX - 2), Rows());
  EXPECT_EQ(AllRows(transaction, table_, 1, -1), Rows());
  for (const auto& [key, value] : rows) EXPECT_EQ(Value(transaction, table_, key), value);
}

TEST_P(TransactionTest, AScanEndsWhenItsCallerHasEnough) {
  Given({{1, "one"}, {2, "two"}, {3, "three"}});
  Transaction transaction = Begin();
  transaction.batch().Insert(table_, 0, "zero");
  std::vector<int64_t> seen;
  ASSERT_TRUE(transaction
                  .Scan(table_, INT64_MIN, INT64_MAX,
                        [&](int64_t key, std::string_view) {
                          seen.push_back(key);
                          return key < 1;
                        })
                  .ok());
  EXPECT_EQ(seen, (std::vector<int64_t>{0, 1}));
}

TEST_P(TransactionTest, AScanMergesManyFrozenTablesInOrder) {
  Rows expected;
  for (int64_t round = 0; round < 6; ++round) {  // each fills more than one table of 1,024 slots
    Transaction transaction = Begin();
    for (int64_t i = 0; i < 900; ++i) {
      const int64_t key = (i * 7919 + round * 31) % 20011 - 10000;
      if (expected.contains(key)) continue;
      transaction.batch().Insert(table_, key, std::to_string(round));
      expected[key] = std::to_string(round);
    }
    ASSERT_EQ(Text(transaction.Commit()), "ok");
    Transaction changes = Begin();
    const auto victim = std::next(expected.begin(), round * 50);
    const int64_t erased = victim->first;
    ASSERT_EQ(Text(changes.Erase(table_, erased)), "ok");
    expected.erase(victim);
    const int64_t updated = std::next(expected.begin(), round * 90 + 7)->first;
    ASSERT_EQ(Text(changes.Update(table_, updated, "updated")), "ok");
    expected[updated] = "updated";
    ASSERT_EQ(Text(changes.Commit()), "ok");
  }
  EXPECT_GE(engine_->Statistics().table_freezes, 4u);
  EXPECT_TRUE(Committed() == expected);
  Transaction transaction = Begin();
  EXPECT_EQ(transaction.Insert(table_, expected.begin()->first, "x").code(),
            StatusCode::kDuplicate);  // of a key that only an old table has
}

TEST_P(TransactionTest, TablesAreApartAndCommitTogether) {
  const TableId other = MakeTable(*engine_, "other");
  Transaction transaction = Begin();
  ASSERT_EQ(Text(transaction.Insert(table_, 1, "here")), "ok");
  ASSERT_EQ(Text(transaction.Insert(other, 1, "there")), "ok");
  transaction.batch().Insert(table_, 2, "here");
  transaction.batch().Insert(other, 3, "there");
  EXPECT_EQ(Value(transaction, other, 1), "there");
  ASSERT_EQ(Text(transaction.Commit()), "ok");
  EXPECT_EQ(AllRows(*engine_, table_), (Rows{{1, "here"}, {2, "here"}}));
  EXPECT_EQ(AllRows(*engine_, other), (Rows{{1, "there"}, {3, "there"}}));
}

TEST_P(TransactionTest, ATableThatDoesNotExistIsNotFound) {
  constexpr TableId kAbsent = 999;
  Transaction transaction = Begin();
  EXPECT_EQ(transaction.Insert(kAbsent, 1, "x").code(), StatusCode::kNotFound);
  EXPECT_EQ(transaction.Get(kAbsent, 1).status().code(), StatusCode::kNotFound);
  const auto nothing = [](int64_t, std::string_view) { return true; };
  EXPECT_EQ(transaction.Scan(kAbsent, 0, 9, nothing).code(), StatusCode::kNotFound);
  for (const TableId table : {kAbsent, UINT32_MAX}) {
    Transaction batched = GetParam() == TransactionKind::kConcurrent ? Begin() : Transaction();
    if (GetParam() != TransactionKind::kConcurrent) break;  // its lock is taken
    batched.batch().Insert(table, 1, "x");
    EXPECT_EQ(batched.Commit().code(), StatusCode::kNotFound);
  }
  ASSERT_EQ(Text(transaction.Insert(table_, 1, "x")), "ok");
  ASSERT_EQ(Text(transaction.Commit()), "ok");
}

TEST_P(TransactionTest, ValuesAreBytes) {
  Rows rows{{1, ""}, {2, std::string("\0a\0", 3)}, {3, "\xff\xfe"}, {4, std::string(300000, '\0')}};
  Given(rows);
  EXPECT_EQ(Committed(), rows);
}

TEST_P(TransactionTest, ABatchLargerThanATableIsCommitted) {
  Transaction transaction = Begin();
  for (int64_t key = 0; key < 5000; ++key) transaction.batch().Insert(table_, key, "row");
  ASSERT_EQ(Text(transaction.Commit()), "ok");
  EXPECT_EQ(Committed().size(), 5000u);
}

TEST_P(TransactionTest, TheStatisticsCountWhatBecameDurable) {
  const EngineStatistics before = engine_->Statistics();
  Given({{1, "one"}});
  Given({{2, "two"}, {3, "three"}});
  { Transaction dropped = Begin(); }
  const EngineStatistics after = engine_->Statistics();
  EXPECT_EQ(after.commits - before.commits, 2u);
  EXPECT_EQ(after.groups - before.groups, 2u);
  EXPECT_EQ(after.log_syncs - before.log_syncs, 2u);
  EXPECT_EQ(after.log_bytes - before.log_bytes, 2u * 4096);
}

INSTANTIATE_TEST_SUITE_P(Kinds, TransactionTest, kEveryKind, KindName);

}  // namespace
}  // namespace burin
