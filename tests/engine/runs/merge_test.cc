// Merging: what any snapshot sees stays as it was, what nobody needs goes, and what need not be
// looked at is copied.
#include "engine/runs/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/runs/merge_fixture.h"
#include "tests/engine/temporary_folder.h"

namespace burin {
namespace {

using testing::HasSubstr;

const Retention kKeepAllLsns{.snapshots = {}, .oldest_level = false, .forget_lsns = false};

TEST_F(MergeTest, OfEachKeyTheNewestVersionStays) {
  EXPECT_EQ(
      MergedRows({{{1, 1, 30, false, "new"}, {1, 3, 35, true, ""}},
                  {{1, 1, 20, false, "old"}, {1, 2, 20, false, "two"}, {1, 3, 20, false, "x"}}},
                 kKeepAllLsns),
      (std::vector<RunRow>{
          {1, 1, 30, false, "new"}, {1, 2, 20, false, "two"}, {1, 3, 35, true, ""}}));
}

TEST_F(MergeTest, WhatAnOpenSnapshotSeesStays) {
  const std::vector<RunRow> rows{{1, 1, 50, false, "e"},
                                 {1, 1, 40, false, "d"},
                                 {1, 1, 30, false, "c"},
                                 {1, 1, 20, false, "b"},
                                 {1, 1, 10, false, "a"}};
  const auto kept = [&](std::vector<Lsn> snapshots) {
    std::string values;
    const Retention retention{std::move(snapshots), false, false};
    for (const RunRow& row : MergedRows({rows}, retention)) values += row.value;
    return values;
  };
  EXPECT_EQ(kept({}), "e");
  EXPECT_EQ(kept({51}), "e");
  EXPECT_EQ(kept({50}), "ed");  // lsn 50 is not visible to snapshot 50
  EXPECT_EQ(kept({41, 50}), "ed");
  EXPECT_EQ(kept({30}), "eb");
  EXPECT_EQ(kept({11, 31}), "eca");
  EXPECT_EQ(kept({10}), "e");
  EXPECT_EQ(kept({5, 15, 25, 35, 45, 55}), "edcba");
}

TEST_F(MergeTest, ErasedRowsGoAtTheOldestLevelOnceEverySnapshotSeesThemSo) {
  const std::vector<RunRow> newer{{1, 1, 30, true, ""}};
  const std::vector<RunRow> older{{1, 1, 20, false, "a"}};
  const auto merged = [&](std::vector<Lsn> snapshots, bool oldest) {
    return MergedRows({newer, older}, {std::move(snapshots), oldest, false});
  };
  EXPECT_EQ(merged({}, true), std::vector<RunRow>());
  EXPECT_EQ(merged({31}, true), std::vector<RunRow>());
  EXPECT_EQ(merged({}, false), newer);
  EXPECT_EQ(merged({25}, true), (std::vector<RunRow>{newer[0], older[0]}));
  // Nobody sees "a", but an insert by the holder of snapshot 20 must meet a conflict.
  EXPECT_EQ(merged({20}, true), newer);
}

TEST_F(MergeTest, LsnsBelowEverySnapshotAreForgotten) {
  EXPECT_EQ(MergedRows({{{1, 1, 50, false, "new"}, {1, 2, 30, false, "b"}},
                        {{1, 1, 20, false, "old"}, {1, 3, 40, true, ""}}},
                       {.snapshots = {40, 45}, .oldest_level = false, .forget_lsns = true}),
            (std::vector<RunRow>{{1, 1, 50, false, "new"},
                                 {1, 1, 0, false, "old"},
                                 {1, 2, 0, false, "b"},
                                 {1, 3, 40, true, ""}}));
}

TEST_F(MergeTest, CopiesThatAReplayMadeCollapse) {
  const std::vector<RunRow> once{{1, 1, 30, false, "c"}, {1, 1, 20, false, "b"}};
  const std::vector<RunRow> older{
      {1, 1, 30, false, "c"}, {1, 1, 20, false, "b"}, {1, 1, 10, false, "a"}};
  const Retention all{.snapshots = {15, 25, 35}, .oldest_level = false, .forget_lsns = false};
  EXPECT_EQ(MergedRows({once, older}, all), older);
  EXPECT_EQ(MergedRows({older, older, once}, all), older);
}

// A version whose LSN was forgotten is still newer than all in older runs.
TEST_F(MergeTest, AForgottenLsnDoesNotMakeAVersionOld) {
  EXPECT_EQ(MergedRows({{{1, 1, 0, false, "new"}}, {{1, 1, 20, false, "old"}}}, kKeepAllLsns),
            (std::vector<RunRow>{{1, 1, 0, false, "new"}}));
  EXPECT_EQ(MergedRows({{{1, 1, 0, false, "new"}}, {{1, 1, 20, false, "old"}}},
                       {.snapshots = {21}, .oldest_level = false, .forget_lsns = false}),
            (std::vector<RunRow>{{1, 1, 0, false, "new"}}));
}

TEST_F(MergeTest, RunsThatDoNotOverlapAreCopiedBlockByBlock) {
  const std::vector<RunRow> low = LoadedRows(0, 10'000);
  std::vector<RunRow> high = LoadedRows(10'000, 10'000, 2);
  const RunRef older = MustWriteAndOpen(1, low);
  const RunRef newer = MustWriteAndOpen(2, high);
  const Merged merged = MustMerge({newer, older}, {.oldest_level = true});
  const uint64_t blocks = older->totals().blocks + newer->totals().blocks;
  EXPECT_GE(merged.counts.blocks_copied, blocks - 2);  // the last of each run may be small
  EXPECT_EQ(merged.counts.rows_copied + merged.counts.rows_read, 20'000U);
  EXPECT_LT(merged.counts.rows_read, 1000U);

  std::vector<RunRow> rows = *ReadAll(merged.run);
  ASSERT_EQ(rows.size(), low.size() + high.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const RunRow& expected = i < low.size() ? low[i] : high[i - low.size()];
    ASSERT_EQ(rows[i].value, expected.value);
    ASSERT_TRUE(rows[i].lsn == expected.lsn || rows[i].lsn == 0);
    const auto found = FindVersion(*merged.run, 1, expected.key, kNow);
    ASSERT_EQ((*found)->value, expected.value);
  }
  EXPECT_EQ(merged.run->totals().rows, 20'000U);
  EXPECT_EQ(merged.run->totals().live_bytes,
            older->totals().live_bytes + newer->totals().live_bytes);
}

TEST_F(MergeTest, OnlyBlocksThatOverlapAreRewritten) {
  const RunRef older = MustWriteAndOpen(1, LoadedRows(0, 50'000));
  const RunRef newer = MustWriteAndOpen(2, {{1, 25'000, 9'000'000, false, "updated"}});
  const Merged merged = MustMerge({newer, older}, {.oldest_level = true});
  EXPECT_GE(merged.counts.blocks_copied, older->totals().blocks - 2);
  EXPECT_EQ((*FindVersion(*merged.run, 1, 25'000, kNow))->value, "updated");
  EXPECT_EQ(merged.run->totals().rows, 50'000U);
}

TEST_F(MergeTest, BlocksWithRowsThatMustGoAreNotCopied) {
  std::vector<RunRow> erased = LoadedRows(0, 4100);
  erased[10].erased = true;
  erased[10].value.clear();
  std::vector<RunRow> twice = LoadedRows(10'000, 4100);
  twice.push_back({1, 10'010, 5, false, "old"});
  // How many blocks of the one run were taken row by row, and how many rows are left.
  const auto merge = [&](const std::vector<RunRow>& rows, bool oldest) {
    Reset();
    const RunRef run = MustWriteAndOpen(1, InRunOrder(rows));
    EXPECT_GE(run->totals().blocks, 3U);
    const Merged merged = MustMerge({run}, {.oldest_level = oldest});
    return std::pair(run->totals().blocks - merged.counts.blocks_copied, merged.run->totals().rows);
  };
  EXPECT_EQ(merge(LoadedRows(0, 4100), true), std::pair(uint64_t{0}, uint64_t{4100}));
  EXPECT_EQ(merge(erased, true), std::pair(uint64_t{1}, uint64_t{4099}));
  EXPECT_EQ(merge(erased, false), std::pair(uint64_t{0}, uint64_t{4100}));
  EXPECT_EQ(merge(twice, false), std::pair(uint64_t{1}, uint64_t{4100}));
}

// As of threads that write by turns, one of them slower than the other.
TEST_F(MergeTest, RunsThatFillEachOthersGapsAreMergedByCopying) {
  std::vector<RunRow> even, odd;
  for (int64_t batch = 0; batch < 40; ++batch) {
    for (const RunRow& row : LoadedRows(100'000 + 100 * batch, 100)) {
      (batch % 2 == 0 ? even : odd).push_back(row);
    }
  }
  const std::vector<RunRef> runs{MustWriteAndOpen(1, InRunOrder(even)),
                                 MustWriteAndOpen(2, InRunOrder(odd))};
  const Merged merged = MustMerge(runs, {.oldest_level = true});
  EXPECT_EQ(merged.counts.blocks_copied, 40U);
  EXPECT_EQ(merged.counts.rows_read, 0U);
  EXPECT_EQ(*ReadAll(merged.run), *ReadAll(MustMerge({merged.run}, {}, 101).run));
  EXPECT_EQ(merged.run->totals().rows, 4000U);
}

TEST_F(MergeTest, AKeyThatGoesOnInTheNextBlockIsMergedWhole) {
  std::vector<RunRow> rows = LoadedRows(0, 2000);
  for (Lsn lsn = 3000; lsn > 0; --lsn) rows.push_back({1, 5000, lsn, false, "a version of it"});
  for (const RunRow& row : LoadedRows(6000, 2000)) rows.push_back(row);
  const RunRef run = MustWriteAndOpen(1, rows);
  const Merged merged = MustMerge({run}, {.oldest_level = true});
  EXPECT_EQ(merged.run->totals().rows, 4001U);
  EXPECT_EQ((*FindVersion(*merged.run, 1, 5000, kNow))->value, "a version of it");
}

// The large value has a block of its own, behind the one that ends with the newer version.
TEST_F(MergeTest, AVersionThatBeginsABlockGoesWithTheNewerOneThatEndsTheBlockBefore) {
  const std::string large(2 * kRunBlockRowBytes, 'x');
  for (const bool erased : {true, false}) {
    const RunRow before{1, 0, 10, false, "before"};
    const RunRow newer{1, 1, 30, erased, erased ? "" : "new"};
    const RunRow behind{1, 2, 10, false, "behind"};
    const std::vector<RunRow> rows{before, newer, {1, 1, 20, false, large}, behind};
    EXPECT_EQ(MergedRows({rows}, {{}, true, false}),
              erased ? (std::vector<RunRow>{before, behind})
                     : (std::vector<RunRow>{before, newer, behind}));
    EXPECT_EQ(MergedRows({rows}, {{25}, true, false}), rows);
  }
}

TEST_F(MergeTest, AFullMergeOfALoadIsSmall) {
  const TemporaryFolder folder;
  FileSystem& files = PosixFileSystem();
  uint64_t live_bytes = 0;
  std::vector<RunRef> runs;
  for (int64_t part = 0; part < 4; ++part) {
    const std::vector<RunRow> rows = LoadedRows(part * 250'000, 250'000);
    for (const RunRow& row : rows) live_bytes += sizeof row.key + row.value.size();
    const auto run_id = static_cast<uint64_t>(part + 1);
    ASSERT_TRUE(WriteRun(files, folder.path(), run_id, rows).ok());
    runs.insert(runs.begin(), *burin::Run::Open(files, folder.path(), run_id, kDatabase, nullptr));
  }
  auto writer = RunWriter::Create(files, folder.path(), 9, kDatabase);
  const Retention retention{.oldest_level = true};
  ASSERT_TRUE(MergeRuns(runs, retention, writer->get()).ok());
  ASSERT_TRUE((*writer)->Finish().ok());
  EXPECT_EQ((*writer)->totals().rows, 1'000'000U);
  EXPECT_EQ((*writer)->totals().live_bytes, live_bytes);
  EXPECT_LT(static_cast<double>((*writer)->bytes_written()), 1.3 * static_cast<double>(live_bytes));
}

TEST_F(MergeTest, EachFailingCallIsReportedAndLeavesNoRun) {
  const std::vector<RunRow> low = LoadedRows(0, 3000, 2);
  const std::vector<RunRow> high = LoadedRows(2000, 3000, 3);
  const RunRef older = MustWriteAndOpen(1, low);
  const RunRef newer = MustWriteAndOpen(2, high);
  const SimulatedDisk disk = files_->Disk();
  const auto merge = [&]() -> Status {
    auto first = Open(1);
    if (!first.ok()) return first.status();
    auto second = Open(2);
    if (!second.ok()) return second.status();
    return Merge({*second, *first}, kKeepAllLsns).status();
  };
  Reset(disk);
  ASSERT_TRUE(merge().ok());
  const uint64_t calls = files_->calls();
  for (uint64_t failing = 0; failing < calls; ++failing) {
    Reset(disk);
    bool published = false;
    files_->SetHook([&](const FileCall& call) {
      // Opening the new run comes after it is there.
      if (call.index == failing && call.path == RunPath(kFolder, 100)) published = true;
      return call.index == failing ? Fault::kPartialError : Fault::kNone;
    });
    EXPECT_EQ(merge().code(), StatusCode::kIoError) << "call " << failing;
    EXPECT_EQ(*files_->Exists(RunPath(kFolder, 100)), published) << "call " << failing;
    EXPECT_FALSE(*files_->Exists(UnfinishedRunPath(kFolder, 100)));
  }
}

// Of a block that is made anew the filter is made anew, too: only that one need not be right.
TEST_F(MergeTest, AFlippedByteOfAnInputIsNoticedOrGoneAfterwards) {
  std::vector<RunRow> rows = LoadedRows(0, 1500, 2);
  for (const RunRow& row : LoadedRows(5000, 300)) rows.push_back({2, row.key, 7, false, row.value});
  MustWriteAndOpen(1, rows);
  const SimulatedDisk disk = files_->Disk();
  const std::string content = disk.Content(RunPath(kFolder, 1));
  int harmless = 0;
  for (size_t at = 0; at < content.size(); at += at % 7 == 0 ? 29 : 31) {
    SimulatedDisk damaged = disk;
    std::string bytes = content;
    bytes[at] = static_cast<char>(bytes[at] ^ 64);
    damaged.SetContent(RunPath(kFolder, 1), bytes);
    Reset(std::move(damaged));
    auto run = Open(1);
    auto merged = run.ok() ? Merge({*run}, kKeepAllLsns) : run.TakeStatus();
    if (merged.ok()) {
      ++harmless;
      ASSERT_EQ(*ReadAll(merged->run), rows) << "byte " << at;
      for (const RunRow& row : rows) {
        ASSERT_TRUE((*FindVersion(*merged->run, row.table, row.key, kNow)).has_value());
      }
    } else {
      ASSERT_EQ(merged.status().code(), StatusCode::kCorruption) << "byte " << at;
      ASSERT_THAT(Text(merged.status()), HasSubstr("run-000000000001 at ")) << "byte " << at;
    }
  }
  EXPECT_LE(harmless, 100);
}

TEST_F(MergeTest, ADamagedInputIsNamed) {
  MustWriteAndOpen(1, LoadedRows(0, 5000));
  SimulatedDisk disk = files_->Disk();
  std::string content = disk.Content(RunPath(kFolder, 1));
  content[20'000] = static_cast<char>(content[20'000] ^ 1);
  disk.SetContent(RunPath(kFolder, 1), content);
  Reset(std::move(disk));
  for (const std::vector<RunRow>& other :
       {std::vector<RunRow>{{2, 1, 5, false, "beside"}}, LoadedRows(0, 2000, 2)}) {
    const RunRef newer = MustWriteAndOpen(2, other);
    const auto merged = Merge({newer, *Open(1)}, kKeepAllLsns);
    EXPECT_EQ(merged.status().code(), StatusCode::kCorruption);
    EXPECT_THAT(Text(merged.status()), HasSubstr("run-000000000001 at "));
  }
}

}  // namespace
}  // namespace burin
