// Random histories of merges: whatever is merged, every open snapshot sees the same, and nothing
// stays that nobody needs.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/runs/merge_fixture.h"

namespace burin {
namespace {

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
