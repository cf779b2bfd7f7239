// The cache: bounded, in least-recently-used order, and untouched by scans.
#include "engine/runs/block_cache.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/engine/runs/run_fixture.h"

namespace burin {
namespace {

class Ballast final : public CacheItem {
 public:
  explicit Ballast(size_t bytes) : bytes_(bytes) {}
  size_t MemoryBytes() const override { return bytes_; }

 private:
  const size_t bytes_;
};

BlockCache::Item Item(size_t bytes) { return std::make_shared<Ballast>(bytes); }

TEST(BlockCacheTest, ItHoldsNoMoreThanItsBytes) {
  BlockCache cache(1 << 20);
  const uint64_t owner = cache.NewOwner();
  for (uint64_t i = 0; i < 5000; ++i) {
    cache.Insert(owner, i * 4096, Item(4096));
    ASSERT_LE(cache.Totals().bytes, 1U << 20);
  }
  EXPECT_GT(cache.Totals().bytes, 900'000U);
  EXPECT_GT(cache.Totals().evictions, 4000U);
}

TEST(BlockCacheTest, WhatIsUsedStaysAndWhatIsPeekedAtGoes) {
  BlockCache cache(1 << 20);
  const uint64_t owner = cache.NewOwner();
  cache.Insert(owner, 1, Item(1000));
  cache.Insert(owner, 2, Item(1000));
  for (uint64_t i = 0; i < 5000; ++i) {
    cache.Insert(owner, 1000 + i * 4096, Item(4096));
    ASSERT_NE(cache.Find(owner, 1), nullptr);
    cache.Peek(owner, 2);
  }
  EXPECT_EQ(cache.Peek(owner, 2), nullptr);
}

TEST(BlockCacheTest, FindCountsAndPeekDoesNot) {
  BlockCache cache(1 << 20);
  const uint64_t owner = cache.NewOwner();
  EXPECT_EQ(cache.Find(owner, 8), nullptr);
  cache.Insert(owner, 8, Item(10));
  EXPECT_NE(cache.Find(owner, 8), nullptr);
  EXPECT_NE(cache.Peek(owner, 8), nullptr);
  EXPECT_EQ(cache.Peek(owner, 9), nullptr);
  EXPECT_EQ(cache.Totals().hits, 1U);
  EXPECT_EQ(cache.Totals().misses, 1U);
}

TEST(BlockCacheTest, AnItemLivesAsLongAsSomebodyHoldsIt) {
  BlockCache cache(1 << 20);
  const uint64_t owner = cache.NewOwner();
  cache.Insert(owner, 8, Item(10));
  const BlockCache::Item held = cache.Find(owner, 8);
  cache.DropOwner(owner);
  EXPECT_EQ(cache.Peek(owner, 8), nullptr);
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(held->MemoryBytes(), 10U);
}

TEST(BlockCacheTest, DroppingAnOwnerLeavesTheOthers) {
  BlockCache cache(1 << 20);
  const uint64_t one = cache.NewOwner();
  const uint64_t other = cache.NewOwner();
  for (uint64_t i = 0; i < 50; ++i) {
    cache.Insert(one, i, Item(10));
    cache.Insert(other, i, Item(10));
  }
  cache.DropOwner(one);
  for (uint64_t i = 0; i < 50; ++i) {
    EXPECT_EQ(cache.Peek(one, i), nullptr);
    EXPECT_NE(cache.Peek(other, i), nullptr);
  }
}

TEST(BlockCacheTest, WhatIsTooLargeIsNotKept) {
  BlockCache cache(1 << 20);
  cache.Insert(1, 8, Item(1 << 20));
  EXPECT_EQ(cache.Peek(1, 8), nullptr);
  EXPECT_EQ(cache.Totals().bytes, 0U);
}

class CachedRunTest : public RunTest {};

TEST_F(CachedRunTest, LookupsFillItAndScansDoNot) {
  BlockCache cache(8 << 20);
  const std::vector<RunRow> rows = LoadedRows(0, 20'000, 3);
  const auto run = MustWriteAndOpen(1, rows, &cache);
  const std::vector<RunRow> scanned = *ReadAll(run);
  EXPECT_EQ(scanned, rows);
  const uint64_t after_scan = cache.Totals().bytes;
  EXPECT_LT(after_scan, 32U << 10);  // one index page at most

  for (const RunRow& row : rows) ASSERT_TRUE((*run->Newest(1, row.key)).has_value());
  EXPECT_GT(cache.Totals().bytes, run->file_bytes() - (8U << 10));

  const uint64_t reads_before = files_->calls();
  for (const RunRow& row : rows) ASSERT_TRUE((*run->Newest(1, row.key)).has_value());
  EXPECT_EQ(files_->calls(), reads_before);
  EXPECT_EQ(*ReadAll(run), rows);
  EXPECT_EQ(files_->calls(), reads_before);
}

TEST_F(CachedRunTest, AClosedRunLeavesNothingBehind) {
  BlockCache cache(8 << 20);
  {
    const auto run = MustWriteAndOpen(1, LoadedRows(0, 5000, 3), &cache);
    ASSERT_TRUE((*run->Newest(1, 300)).has_value());
    EXPECT_GT(cache.Totals().bytes, 0U);
  }
  EXPECT_EQ(cache.Totals().bytes, 0U);
}

TEST_F(CachedRunTest, AVersionOutlivesItsRunAndTheCache) {
  std::optional<RunVersion> version;
  {
    BlockCache cache(8 << 20);
    const auto run = MustWriteAndOpen(1, LoadedRows(0, 5000, 3), &cache);
    version = std::move(*run->Newest(1, 300));
  }
  EXPECT_EQ(version->value, "data_300");
}

TEST_F(CachedRunTest, ManyThreadsReadTheSameRows) {
  BlockCache cache(100 << 10);  // so small that they take blocks from each other
  const std::vector<RunRow> rows = LoadedRows(0, 20'000, 3);
  const auto run = MustWriteAndOpen(1, rows, &cache);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937_64 random(t);
      for (int i = 0; i < 3000; ++i) {
        const RunRow& row = rows[random() % rows.size()];
        const auto found = run->Find(1, row.key, kNow);
        if (!found.ok() || !found->has_value() || (*found)->value != row.value) ++wrong;
        if ((*run->Find(1, row.key + 1, kNow)).has_value()) ++wrong;
      }
      const auto all = ReadAll(run);
      if (!all.ok() || *all != rows) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace burin
