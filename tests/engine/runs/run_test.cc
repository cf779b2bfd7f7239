// Runs as their readers see them: every version comes back, under every snapshot, and ranges are
// ruled out exactly.
#include "engine/runs/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/engine/runs/run_fixture.h"
#include "tests/engine/temporary_folder.h"

namespace burin {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

void ExpectFound(const Run& run, TableId table, int64_t key, Lsn snapshot,
                 const std::optional<RunRow>& expected) {
  const auto found = FindVersion(run, table, key, snapshot);
  ASSERT_TRUE(found.ok()) << Text(found.status());
  EXPECT_EQ(*found, expected) << "table " << table << " key " << key << " at " << snapshot;
}

// Everything there is to know about a run, compared with a model.
void ExpectLike(const RunRef& run, const std::vector<RunRow>& rows) {
  const auto all = ReadAll(run);
  ASSERT_TRUE(all.ok()) << Text(all.status());
  ASSERT_EQ(*all, rows);
  VersionModel model;
  for (const RunRow& row : rows) model.Add(row);
  for (const RunRow& row : rows) {
    for (const Lsn snapshot : {row.lsn, row.lsn + 1, kNow}) {
      ExpectFound(*run, row.table, row.key, snapshot, model.Find(row.table, row.key, snapshot));
    }
    for (const int64_t step : {-1, 1}) {
      if (row.key == (step < 0 ? kLowest : kHighest)) continue;
      const int64_t key = row.key + step;
      ExpectFound(*run, row.table, key, kNow, model.Find(row.table, key, kNow));
    }
    ExpectFound(*run, row.table + 1, row.key, kNow, model.Find(row.table + 1, row.key, kNow));
  }
}

class RunReadingTest : public RunTest {
 protected:
  void RoundTrip(const std::vector<RunRow>& rows) {
    BlockCache cache(1 << 20);
    ExpectLike(MustWriteAndOpen(1, rows), rows);
    ExpectLike(MustWriteAndOpen(2, rows, &cache), rows);
  }
};

TEST_F(RunReadingTest, ARunWithoutRowsHasNone) {
  const RunRef run = MustWriteAndOpen(1, {});
  EXPECT_EQ(run->totals().rows, 0U);
  EXPECT_EQ(*ReadAll(run), std::vector<RunRow>());
  ExpectFound(*run, 1, 0, kNow, std::nullopt);
  EXPECT_FALSE(*HasKeysIn(*run, 1, kLowest, kHighest));
}

TEST_F(RunReadingTest, TheExtremesOfKeysComeBack) {
  RoundTrip({{0, kLowest, 5, false, "lowest"},
             {0, kLowest + 1, 5, false, ""},
             {0, -1, 7, false, "minus one"},
             {0, 0, 0, false, "zero"},
             {0, 1, 9, true, ""},
             {0, kHighest - 1, 5, false, "high"},
             {0, kHighest, kNow - 5, false, "highest"}});
}

TEST_F(RunReadingTest, ValuesOfEverySizeComeBack) {
  std::vector<RunRow> rows;
  for (const size_t size :
       {0,    1,      7,      8,      15,     16,     17,     31,     32,      33,     127,
        5000, 15'000, 15'334, 15'335, 15'336, 15'360, 16'384, 20'000, 1 << 20, 3 << 20}) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      const auto key = static_cast<int64_t>(rows.size());
      rows.push_back({1, key, 100, false, std::string(size, static_cast<char>('a' + key))});
    }
  }
  RoundTrip(rows);
}

TEST_F(RunReadingTest, OneKeyWithManyVersionsGoesOnFromBlockToBlock) {
  std::vector<RunRow> rows{{1, 41, 9, false, "before"}};
  for (Lsn lsn = 5000; lsn > 0; --lsn) {
    rows.push_back({1, 42, lsn * 4096, lsn % 7 == 0, ""});
    if (!rows.back().erased) rows.back().value = "version " + std::to_string(lsn);
  }
  rows.push_back({1, 43, 9, false, "behind"});
  rows.push_back({2, 42, 9, false, "another table"});
  const RunRef run = MustWriteAndOpen(1, rows);
  ASSERT_GT(run->totals().blocks, 4U);
  EXPECT_EQ(*ReadAll(run), rows);
  VersionModel model;
  for (const RunRow& row : rows) model.Add(row);
  for (Lsn snapshot = 1; snapshot < 5002 * 4096; snapshot += 40'961) {
    ExpectFound(*run, 1, 42, snapshot, model.Find(1, 42, snapshot));
  }
  ExpectFound(*run, 1, 42, 4096, std::nullopt);
  ExpectFound(*run, 1, 43, kNow, rows[rows.size() - 2]);
}

TEST_F(RunReadingTest, ManyTablesHaveAPageOfTheIndexEach) {
  std::vector<RunRow> rows;
  for (TableId table = 0; table < 40; table += 2) {
    for (int64_t key = -5; key < 5; ++key) {
      rows.push_back({table, key, 10, false, std::to_string(table) + "/" + std::to_string(key)});
    }
  }
  RoundTrip(rows);
  EXPECT_EQ((*Open(1))->file().root().size(), 20U);
}

// One key to a block and one key over many: more blocks than an index page takes.
TEST(RunOnDiskTest, AnIndexOfSeveralPagesLeadsToEveryRow) {
  const TemporaryFolder folder;
  std::vector<RunRow> rows;
  for (int64_t key = 0; key < 700; ++key) {
    rows.push_back({1, key * 10, 50, false, std::string(15'300, static_cast<char>(key))});
  }
  for (Lsn lsn = 900; lsn > 0; --lsn) {
    rows.push_back({1, 8000, lsn, false, std::string(15'300, static_cast<char>(lsn))});
  }
  ASSERT_TRUE(WriteRun(PosixFileSystem(), folder.path(), 1, rows).ok());
  BlockCache cache(4 << 20);
  const auto run = Run::Open(PosixFileSystem(), folder.path(), 1, kDatabase, &cache);
  ASSERT_TRUE(run.ok()) << Text(run.status());
  ASSERT_GT((*run)->file().root().size(), 3U);
  EXPECT_EQ(*ReadAll(*run), rows);
  for (size_t i = 0; i < rows.size(); i += 29) {
    ExpectFound(**run, 1, rows[i].key, rows[i].lsn + 1, rows[i]);
    EXPECT_TRUE(*HasKeysIn(**run, 1, rows[i].key, rows[i].key));
    EXPECT_FALSE(*HasKeysIn(**run, 1, rows[i].key + 1, rows[i].key + 9));
  }
}

TEST_F(RunReadingTest, RandomRunsAnswerAsAModelDoes) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 30; ++round) {
    Reset();
    RoundTrip(RandomVersions(random, 1 + random() % 300));
    if (HasFailure()) FAIL() << "in round " << round;
  }
}

TEST_F(RunReadingTest, TotalsCountWhatIsThere) {
  const RunRef run = MustWriteAndOpen(7, {{1, 1, 30, false, "abc"},
                                          {1, 2, 40, true, ""},
                                          {1, 2, 20, false, "de"},
                                          {2, 2, 25, false, ""}});
  EXPECT_EQ(run->id(), 7U);
  EXPECT_EQ(run->totals().rows, 4U);
  EXPECT_EQ(run->totals().erased_rows, 1U);
  EXPECT_EQ(run->totals().live_bytes, 3 * 8 + 5U);
  EXPECT_EQ(run->totals().smallest_lsn, 20U);
  EXPECT_EQ(run->totals().largest_lsn, 40U);
  EXPECT_EQ(run->totals().blocks, 2U);
}

TEST_F(RunReadingTest, ACursorStartsAtTheFirstRowNotBelow) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 20; ++round) {
    Reset();
    const std::vector<RunRow> rows = RandomVersions(random, 300);
    const RunRef run = MustWriteAndOpen(1, rows);
    RunCursor cursor(run);
    for (int i = 0; i < 200; ++i) {
      const RunRow& near = rows[random() % rows.size()];
      const auto key = static_cast<int64_t>(static_cast<uint64_t>(near.key) + random() % 3);
      const auto table = static_cast<TableId>(near.table + random() % 2);
      ASSERT_TRUE(cursor.Seek(table, key).ok());
      auto expected = std::find_if(rows.begin(), rows.end(), [&](const RunRow& row) {
        return RowPosition{row.table, row.key} >= RowPosition{table, key};
      });
      for (int step = 0; step < 20 && expected != rows.end(); ++step, ++expected) {
        ASSERT_TRUE(cursor.valid());
        ASSERT_EQ(Copy(cursor.entry()), *expected);
        ASSERT_TRUE(cursor.Next().ok());
      }
      EXPECT_EQ(cursor.valid(), expected != rows.end());
    }
  }
}

TEST_F(RunReadingTest, EmptyRangesAreFoundExactlyAndAsWideAsTheyAre) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 20; ++round) {
    Reset();
    const std::vector<RunRow> rows = RandomVersions(random, 300);
    VersionModel model;
    for (const RunRow& row : rows) model.Add(row);
    BlockCache cache(1 << 20);
    const RunRef run = MustWriteAndOpen(1, rows, &cache);
    for (int i = 0; i < 500; ++i) {
      const RunRow& near = rows[random() % rows.size()];
      const auto table = static_cast<TableId>(random() % 4);
      const auto first = static_cast<int64_t>(static_cast<uint64_t>(near.key) + random() % 5 - 2);
      const uint64_t room = static_cast<uint64_t>(kHighest) - static_cast<uint64_t>(first);
      const uint64_t width = std::min(room, random() % 2 == 0 ? random() % 5 : random());
      const auto last = static_cast<int64_t>(static_cast<uint64_t>(first) + width);

      const auto may = HasKeysIn(*run, table, first, last);
      ASSERT_TRUE(may.ok());
      ASSERT_EQ(*may, model.HasKeysIn(table, first, last)) << table << " " << first << " " << last;
      const auto empty = run->EmptyRangeAround(table, first, last);
      ASSERT_TRUE(empty.ok());
      ASSERT_EQ(empty->has_value(), !*may);
      if (*may) continue;
      const KeyRange range = **empty;
      ASSERT_LE(range.first, first);
      ASSERT_GE(range.last, last);
      ASSERT_FALSE(model.HasKeysIn(table, range.first, range.last));
      if (first == last) continue;  // may be answered by a filter, which knows no more
      if (range.first != kLowest) {
        ASSERT_TRUE(model.HasKeysIn(table, range.first - 1, last));
      }
      if (range.last != kHighest) {
        ASSERT_TRUE(model.HasKeysIn(table, first, range.last + 1));
      }
    }
  }
}

TEST_F(RunReadingTest, RangesBesideWhatTheIndexHasNeedNoRead) {
  const RunRef run = MustWriteAndOpen(1, LoadedRows(1000, 5000));
  const uint64_t before = files_->calls();
  EXPECT_FALSE(*HasKeysIn(*run, 1, 6000, 6099));
  EXPECT_FALSE(*HasKeysIn(*run, 1, 0, 999));
  EXPECT_FALSE(*HasKeysIn(*run, 2, 1000, 6000));
  EXPECT_TRUE(*HasKeysIn(*run, 1, 0, 1000));
  EXPECT_TRUE(*HasKeysIn(*run, 1, 5999, 6000));
  ExpectFound(*run, 1, 6000, kNow, std::nullopt);
  EXPECT_EQ(files_->calls(), before);
}

TEST_F(RunReadingTest, AbsentKeysSeldomCostABlock) {
  const RunRef run = MustWriteAndOpen(1, LoadedRows(0, 20'000, 7));
  uint64_t block_reads = 0;
  files_->SetHook([&](const FileCall& call) {
    if (call.size > 8192) ++block_reads;
    return Fault::kNone;
  });
  for (int64_t key = 1; key < 140'000 - 7; key += 7) ExpectFound(*run, 1, key, kNow, std::nullopt);
  EXPECT_LT(block_reads, 500U);
}

}  // namespace
}  // namespace burin
