#include "engine/table/key_blocks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace burin {
namespace {

constexpr int64_t kLowest = INT64_MIN;
constexpr int64_t kHighest = INT64_MAX;

TEST(KeyBlocks, HaveNothingAtFirst) {
  const KeyBlocks blocks(1024);
  EXPECT_FALSE(blocks.MayHave(0, 0));
  EXPECT_FALSE(blocks.MayHave(kLowest, kLowest + 100));
  EXPECT_FALSE(blocks.MayHave(kHighest - 100, kHighest));
}

TEST(KeyBlocks, NeverPassOverAKeyThatWasNoted) {
  KeyBlocks blocks(64);
  std::mt19937_64 random(7);
  for (int i = 0; i < 20; ++i) {
    const auto key = static_cast<int64_t>(random());
    blocks.Note(KeyBlocks::BlockOf(key));
    EXPECT_TRUE(blocks.MayHave(key, key));
    EXPECT_TRUE(blocks.MayHave(key - 150, key));
    EXPECT_TRUE(blocks.MayHave(key, key + 150));
  }
  for (const int64_t key : {kLowest, kHighest, int64_t{-1}, int64_t{0}}) {
    blocks.Note(KeyBlocks::BlockOf(key));
    EXPECT_TRUE(blocks.MayHave(key, key));
  }
}

TEST(KeyBlocks, TellAscendingKeysFromThoseThatFollow) {
  KeyBlocks blocks(1 << 20);
  for (int64_t key = 0; key < 640'000; key += 64) blocks.Note(KeyBlocks::BlockOf(key));
  int wrong = 0;
  for (int64_t first = 640'000; first < 1'280'000; first += 100) {
    wrong += blocks.MayHave(first, first + 99) ? 1 : 0;
  }
  EXPECT_LT(wrong, 6'400 / 20);
}

TEST(KeyBlocks, DoNotGoThroughAWideRange) {
  const KeyBlocks blocks(1 << 10);
  EXPECT_TRUE(blocks.MayHave(kLowest, kHighest));
  EXPECT_TRUE(blocks.MayHave(0, 1'000'000));
}

}  // namespace
}  // namespace burin
