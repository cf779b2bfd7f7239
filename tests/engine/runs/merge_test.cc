// Merging: what any snapshot sees stays as it was, what nobody needs goes, and what need not be
// looked at is copied.
#include "engine/runs/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/runs/run_fixture.h"
#include "tests/engine/temporary_folder.h"

namespace burin {
namespace {

using testing::HasSubstr;

class MergeTest : public RunTest {
 protected:
  struct Merged {
    RunRef run;
    MergeCounts counts;
  };

  // Of runs that are open, newest first, into run 100.
  Result<Merged> Merge(const std::vector<RunRef>& runs, const Retention& retention,
                       uint64_t run_id = 100) {
    auto writer = RunWriter::Create(*files_, kFolder, run_id, kDatabase);
    if (!writer.ok()) return writer.TakeStatus();
    auto counts = MergeRuns(runs, retention, writer->get());
    if (!counts.ok()) return counts.TakeStatus();
    if (Status status = (*writer)->Finish(); !status.ok()) return status;
    auto run = Open(run_id);
    if (!run.ok()) return run.TakeStatus();
    return Merged{*run, *counts};
  }

  Merged MustMerge(const std::vector<RunRef>& runs, const Retention& retention,
                   uint64_t run_id = 100) {
    auto merged = Merge(runs, retention, run_id);
    EXPECT_TRUE(merged.ok()) << Text(merged.status());
    return *merged;
  }

  std::vector<RunRow> MergedRows(const std::vector<std::vector<RunRow>>& newest_first,
                                 const Retention& retention) {
    Reset();
    std::vector<RunRef> runs;
    for (const auto& rows : newest_first) runs.push_back(MustWriteAndOpen(runs.size() + 1, rows));
    return *ReadAll(MustMerge(runs, retention).run);
  }
};

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

// A small tree of runs, as a store has it: rows are written, flushed into a new run, runs are
// merged, a crash makes a replay repeat rows. Whatever an open snapshot sees must be the same.
class RunTree : public MergeTest {
 protected:
  static constexpr int64_t kKeys = 40;

  void Write(std::mt19937_64& random) {
    // Close together, and large enough for blocks that are worth copying.
    const uint64_t first_key = random() % (kKeys - 8);
    for (uint64_t i = 1 + random() % 30; i > 0; --i) {
      const bool erased = random() % 8 == 0;
      RunRow row{static_cast<TableId>(1 + random() % 2),
                 static_cast<int64_t>(first_key + random() % 8), ++lsn_, erased,
                 erased ? std::string() : std::to_string(lsn_)};
      if (!erased) row.value.append(random() % 4000, 'v');
      model_.Add(row);
      pending_.push_back(row);
    }
  }

  // All versions, or those that are needed, like the store's choice at a flush.
  void Flush(std::mt19937_64& random) {
    std::vector<RunRow> rows = pending_;
    pending_.clear();
    // What a replay after a crash would bring again: the end of the log from some place on.
    if (random() % 3 == 0) {
      const size_t again = std::min<size_t>(flushed_.size(), random() % 20);
      if (again > 0) {
        snapshots_.clear();  // a crash ends them
        rows.insert(rows.begin(), flushed_.end() - static_cast<ptrdiff_t>(again), flushed_.end());
      }
    }
    flushed_.insert(flushed_.end(), rows.begin(), rows.end());
    const Retention retention = Needs(random, tree_.empty());
    auto writer = RunWriter::Create(*files_, kFolder, ++run_id_, kDatabase);
    RetainingWriter needed(retention, writer->get());
    for (const RunRow& row : InRunOrder(rows)) ASSERT_TRUE(needed.Add(row.Entry()).ok());
    ASSERT_TRUE((*writer)->Finish().ok());
    tree_.insert(tree_.begin(), *Open(run_id_));
  }

  void MergeSome(std::mt19937_64& random) {
    if (tree_.size() < 2) return;
    const size_t first = random() % (tree_.size() - 1);
    const size_t count = 2 + random() % (tree_.size() - first - 1);
    const auto begin = tree_.begin() + static_cast<ptrdiff_t>(first);
    const auto end = begin + static_cast<ptrdiff_t>(count);
    const Retention retention = Needs(random, end == tree_.end());
    const Merged merged = MustMerge({begin, end}, retention, ++run_id_);
    blocks_copied_ += merged.counts.blocks_copied;
    tree_.insert(tree_.erase(begin, end), merged.run);
  }

  Retention Needs(std::mt19937_64& random, bool oldest) {
    return {snapshots_, oldest, random() % 3 != 0};
  }

  std::optional<RunRow> Find(TableId table, int64_t key, Lsn snapshot) {
    for (const RunRef& run : tree_) {
      const auto found = FindVersion(*run, table, key, snapshot);
      EXPECT_TRUE(found.ok()) << Text(found.status());
      if (found->has_value()) return *found;
    }
    return std::nullopt;
  }

  void ExpectAsTheModelHasIt() {
    std::vector<Lsn> snapshots = snapshots_;
    snapshots.push_back(lsn_ + 1);
    for (const Lsn snapshot : snapshots) {
      for (TableId table = 1; table <= 2; ++table) {
        for (int64_t key = 0; key < kKeys; ++key) {
          const auto expected = model_.Find(table, key, snapshot);
          const auto found = Find(table, key, snapshot);
          const bool live = expected.has_value() && !expected->erased;
          ASSERT_EQ(found.has_value() && !found->erased, live)
              << "table " << table << " key " << key << " at " << snapshot;
          if (live) {
            ASSERT_EQ(found->value, expected->value);
          }
          ExpectConflictKnown(table, key, snapshot);
        }
      }
    }
  }

  // Whether the newest version is one that the snapshot does not see, erased or not, must still be
  // known: a writer of that snapshot has to fail.
  void ExpectConflictKnown(TableId table, int64_t key, Lsn snapshot) {
    const auto expected = model_.Find(table, key, kNow);
    const auto newest = Find(table, key, kNow);
    const bool conflict = expected.has_value() && expected->lsn >= snapshot;
    ASSERT_EQ(newest.has_value() && newest->lsn >= snapshot, conflict)
        << "table " << table << " key " << key << " at " << snapshot;
  }

  Lsn lsn_ = 100;
  uint64_t run_id_ = 0;
  VersionModel model_;
  std::vector<RunRow> pending_;
  std::vector<RunRow> flushed_;  // in the order of the log
  std::vector<Lsn> snapshots_;
  std::vector<RunRef> tree_;  // newest first
  uint64_t blocks_copied_ = 0;
};

TEST_F(RunTree, SnapshotsSeeTheSameWhateverIsMerged) {
  std::mt19937_64 random(21);
  for (int round = 0; round < 40; ++round) {
    Reset();
    tree_.clear();
    snapshots_.clear();
    pending_.clear();
    flushed_.clear();
    model_ = VersionModel();
    for (int step = 0; step < 40; ++step) {
      Write(random);
      if (random() % 2 == 0) Flush(random);
      if (pending_.empty() && random() % 3 == 0) snapshots_.push_back(lsn_ + 1);
      if (!snapshots_.empty() && random() % 4 == 0) {
        snapshots_.erase(snapshots_.begin() + static_cast<ptrdiff_t>(random() % snapshots_.size()));
      }
      if (random() % 3 == 0) MergeSome(random);
      if (pending_.empty()) ExpectAsTheModelHasIt();
      if (HasFailure()) FAIL() << "in round " << round << " step " << step;
    }
  }
  EXPECT_GT(blocks_copied_, 20U);
}

// With nothing forgotten a merge of random runs keeps exactly what the rule says.
TEST_F(RunTree, AMergeKeepsNoVersionThatNobodyNeeds) {
  std::mt19937_64 random(22);
  for (int round = 0; round < 60; ++round) {
    Reset();
    std::vector<std::vector<RunRow>> newest_first;
    VersionModel model;
    Lsn lsn = 1;
    for (uint64_t runs = 1 + random() % 4; runs > 0; --runs) {
      VersionModel run;
      for (uint64_t i = 1 + random() % 200; i > 0; --i) {
        const RunRow row{1, static_cast<int64_t>(random() % 60), ++lsn, random() % 5 == 0, ""};
        run.Add(row);
        model.Add(row);
      }
      newest_first.insert(newest_first.begin(), run.All());
    }
    Retention retention{{}, random() % 2 == 0, false};
    for (uint64_t i = random() % 5; i > 0; --i) retention.snapshots.push_back(random() % (lsn + 2));
    std::sort(retention.snapshots.begin(), retention.snapshots.end());

    std::vector<RunRow> expected;
    const Lsn oldest = retention.snapshots.empty() ? kNow : retention.snapshots.front();
    for (const RunRow& row : model.All()) {
      const bool newest = *model.Find(1, row.key, kNow) == row;
      const bool seen = std::any_of(
          retention.snapshots.begin(), retention.snapshots.end(),
          [&](Lsn snapshot) { return model.Find(1, row.key, snapshot) == std::optional(row); });
      const bool gone = retention.oldest_level && row.erased && row.lsn < oldest;
      if ((newest || seen) && !gone) expected.push_back(row);
    }
    ASSERT_EQ(MergedRows(newest_first, retention), expected) << "in round " << round;
  }
}

}  // namespace
}  // namespace burin
