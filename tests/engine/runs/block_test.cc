// One data block: what is built is what is read, and what is not a block is refused without a step
// outside its bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/runs/block_builder.h"
#include "engine/runs/block_view.h"
#include "tests/engine/runs/run_fixture.h"

namespace burin {
namespace {

constexpr uint64_t kSeed = 99;

struct BuiltBlock {
  std::string bytes;  // without filter
  std::string filter;
  BlockIndexEntry entry;
  size_t rows = 0;  // that it took

  std::string_view Judge(TableId table = 1) const {
    return WhyBadBlock(bytes, table, entry, kSeed, true);
  }
};

BuiltBlock Build(const std::vector<RunRow>& versions) {
  auto builder = std::make_unique<BlockBuilder>();
  std::string room(BlockBuilder::RoomFor(versions.front().value.size()), '\0');
  builder->Start(room.data(), versions.front().Entry());
  size_t rows = 1;
  while (rows < versions.size()) {
    const RunEntry entry = versions[rows].Entry();
    if (!builder->TryAddPlain(entry) && !builder->TryAdd(entry)) break;
    ++rows;
  }
  const BlockIndexEntry entry = builder->Finish(kSeed);
  return {room.substr(0, entry.bytes), room.substr(entry.bytes, entry.filter_bytes), entry, rows};
}

std::vector<RunRow> Rows(const BuiltBlock& block) {
  std::vector<RunRow> rows;
  for (BlockIterator row{BlockView(block.bytes)}; row.valid(); row.Next()) {
    rows.push_back(Copy(row.entry()));
  }
  return rows;
}

std::vector<RunRow> OfTable(TableId table, std::vector<RunRow> versions) {
  std::erase_if(versions, [&](const RunRow& version) { return version.table != table; });
  return versions;
}

TEST(BlockTest, RowsComeBackAsTheyWere) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<RunRow> versions = OfTable(0, RandomVersions(random, 1 + random() % 400));
    while (!versions.empty()) {
      const BuiltBlock block = Build(versions);
      ASSERT_EQ(block.Judge(0), "");
      const auto taken = static_cast<ptrdiff_t>(block.rows);
      const std::vector<RunRow> expected(versions.begin(), versions.begin() + taken);
      ASSERT_EQ(Rows(block), expected);
      versions.erase(versions.begin(), versions.begin() + taken);
    }
  }
}

TEST(BlockTest, SeekFindsTheNewestVersionOfTheFirstKeyNotBelow) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 100; ++round) {
    const BuiltBlock block = Build(OfTable(0, RandomVersions(random, 300)));
    const std::vector<RunRow> rows = Rows(block);
    BlockIterator iterator{BlockView(block.bytes)};
    for (const RunRow& row : rows) {
      for (const int64_t key : {row.key, row.key == INT64_MAX ? row.key : row.key + 1}) {
        const int64_t below = iterator.Seek(key);
        const auto expected = std::find_if(rows.begin(), rows.end(),
                                           [&](const RunRow& other) { return other.key >= key; });
        ASSERT_EQ(iterator.valid(), expected != rows.end());
        if (iterator.valid()) {
          ASSERT_EQ(Copy(iterator.entry()), *expected);
        }
        if (expected != rows.begin()) {
          ASSERT_EQ(below, std::prev(expected)->key);
        }
      }
    }
  }
}

TEST(BlockTest, RowsThatDoNotFollowAreNotTaken) {
  auto builder = std::make_unique<BlockBuilder>();
  std::string room(BlockBuilder::RoomFor(0), '\0');
  const RunEntry first{1, false, 10, 50, "value of the row"};
  EXPECT_FALSE(builder->TryAddPlain(first));
  EXPECT_FALSE(builder->TryAdd(first));  // not open
  builder->Start(room.data(), first);
  const auto refused = [&](RunEntry row) {
    return !builder->TryAddPlain(row) && !builder->TryAdd(row);
  };
  EXPECT_TRUE(refused({1, false, 10, 50, "the same again!!"}));
  EXPECT_TRUE(refused({1, false, 10, 51, "newer, behind it"}));
  EXPECT_TRUE(refused({1, false, 9, 50, "a lower key     "}));
  EXPECT_TRUE(refused({0, false, 11, 50, "another table   "}));
  EXPECT_TRUE(refused({2, false, 11, 50, "another table   "}));
  EXPECT_TRUE(refused({1, false, 11, 50, std::string(kRunBlockRowBytes, 'x')}));
  EXPECT_FALSE(refused({1, false, 10, 49, "older           "}));
  EXPECT_FALSE(refused({1, false, 11, 50, "the next key    "}));
}

TEST(BlockTest, TheLowestKeyDoesNotFollowTheHighest) {
  auto builder = std::make_unique<BlockBuilder>();
  std::string room(BlockBuilder::RoomFor(0), '\0');
  builder->Start(room.data(), {1, false, INT64_MAX - 1, 50, "value of the row"});
  EXPECT_TRUE(builder->TryAddPlain({1, false, INT64_MAX, 50, "value of the row"}));
  for (const int64_t key : {INT64_MIN, INT64_MIN + 100}) {
    EXPECT_FALSE(builder->TryAddPlain({1, false, key, 50, "value of the row"}));
    EXPECT_FALSE(builder->TryAdd({1, false, key, 50, "value of the row"}));
  }
}

TEST(BlockTest, ABlockWithEveryKeyOfItsRangeHasNoFilter) {
  EXPECT_EQ(Build(LoadedRows(5, 100)).entry.filter_bytes, 0U);
  EXPECT_GT(Build(LoadedRows(5, 100, 2)).entry.filter_bytes, 0U);
  EXPECT_EQ(Build({RunRow{1, 5, 10, false, "a"}, RunRow{1, 5, 9, false, "b"}}).entry.filter_bytes,
            0U);
  EXPECT_GT(Build({RunRow{1, INT64_MIN, 0, false, ""}, RunRow{1, INT64_MAX, 0, false, ""}})
                .entry.filter_bytes,
            0U);
}

TEST(BlockTest, ADenseBlockOfSomeSizeEndsAtAGap) {
  for (const int64_t gap : {2, 100, 1000}) {
    std::vector<RunRow> rows = LoadedRows(100'000, 200);
    for (const RunRow& row : LoadedRows(100'199 + gap, 200)) rows.push_back(row);
    const BuiltBlock block = Build(rows);
    EXPECT_EQ(block.rows, 200U) << gap;
    EXPECT_EQ(block.filter, "");
    EXPECT_EQ(block.Judge(), "");
  }
}

TEST(BlockTest, ASmallOrSparseBlockGoesOnBehindAGap) {
  std::vector<RunRow> small = LoadedRows(100'000, 20);
  for (const RunRow& row : LoadedRows(100'021, 200)) small.push_back(row);
  EXPECT_EQ(Build(small).rows, 220U);
  EXPECT_EQ(Build(LoadedRows(100'000, 500, 2)).rows, 500U);
}

TEST(BlockTest, ARowOfALoadCostsLittleOverItsValue) {
  const std::vector<RunRow> rows = LoadedRows(123'000'000, 2000);
  const BuiltBlock block = Build(rows);
  ASSERT_GT(block.rows, 800U);
  EXPECT_LE(block.bytes.size(), block.rows * (rows[0].value.size() + 3));
}

TEST(BlockTest, ItIsJudgedAgainstItsIndexEntry) {
  const BuiltBlock good = Build(LoadedRows(5, 100, 2));
  ASSERT_EQ(good.Judge(), "");
  EXPECT_NE(good.Judge(2), "");
  EXPECT_NE(WhyBadBlock(good.bytes, 1, good.entry, kSeed + 1, true), "");
  const auto judged_with = [&](auto change) {
    BuiltBlock block = good;
    change(block.entry);
    return block.Judge();
  };
  EXPECT_NE(judged_with([](BlockIndexEntry& entry) { ++entry.first_key; }), "");
  EXPECT_NE(judged_with([](BlockIndexEntry& entry) { --entry.last_key; }), "");
  EXPECT_NE(judged_with([](BlockIndexEntry& entry) { ++entry.checksum; }), "");
  EXPECT_NE(judged_with([](BlockIndexEntry& entry) { entry.filter_bytes = 0; }), "");
  for (size_t size = 0; size < good.bytes.size(); ++size) {
    EXPECT_NE(WhyBadBlock(std::string_view(good.bytes).substr(0, size), 1, good.entry, kSeed, true),
              "");
  }
}

// Gives damage a checksum that fits, as a bug or a forger could.
void Reseal(BuiltBlock& block) {
  const uint64_t checksum = Checksum(block.bytes.data() + 8, block.bytes.size() - 8, kSeed);
  std::memcpy(block.bytes.data(), &checksum, sizeof checksum);
  block.entry.checksum = checksum;
}

TEST(BlockTest, ResealedDamageIsRefusedOrStillABlock) {
  std::mt19937_64 random(7);
  int refused = 0;
  for (int round = 0; round < 4'000; ++round) {
    std::vector<RunRow> versions = OfTable(0, RandomVersions(random, 1 + random() % 40));
    if (versions.empty()) continue;
    BuiltBlock block = Build(versions);
    for (uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      const size_t at = sizeof(uint64_t) + random() % (block.bytes.size() - sizeof(uint64_t));
      block.bytes[at] = static_cast<char>(random());
    }
    Reseal(block);
    if (!block.Judge(0).empty()) {
      ++refused;
      continue;
    }
    std::vector<RunRow> rows = Rows(block);
    EXPECT_EQ(rows, InRunOrder(rows));
    BlockIterator iterator{BlockView(block.bytes)};
    for (const RunRow& row : rows) iterator.Seek(row.key);
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace burin
