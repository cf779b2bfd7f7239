#include "engine/table/pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>

namespace burin {
namespace {

bool IsZero(const char* begin, size_t bytes) {
  return std::all_of(begin, begin + bytes, [](char byte) { return byte == 0; });
}

TEST(Pages, AreZeroedAndWritable) {
  for (const size_t bytes : {size_t{4096}, size_t{12288}, kHugePageBytes, 3 * kHugePageBytes}) {
    char* const memory = static_cast<char*>(MapPages(bytes));
    ASSERT_NE(memory, nullptr);
    EXPECT_TRUE(IsZero(memory, bytes)) << bytes;
    memory[0] = memory[bytes - 1] = 'x';
    EXPECT_EQ(munmap(memory, bytes), 0);
  }
}

TEST(Pages, OfAHugePageAndMoreAreAlignedToIt) {
  for (int turn = 0; turn < 8; ++turn) {
    void* const memory = MapPages(kHugePageBytes);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % kHugePageBytes, 0u);
    EXPECT_EQ(munmap(memory, kHugePageBytes), 0);
  }
}

TEST(Pages, AreGivenBackInParts) {
  char* const memory = static_cast<char*>(MapPages(kHugePageBytes));
  ASSERT_NE(memory, nullptr);
  const size_t half = kHugePageBytes / 2;
  memory[half] = 'x';
  EXPECT_EQ(munmap(memory, half), 0);
  EXPECT_EQ(memory[half], 'x');
  EXPECT_EQ(munmap(memory + half, half), 0);
}

TEST(Pages, ThatNoMemoryIsLeftForAreNull) { EXPECT_EQ(MapPages(size_t{1} << 60), nullptr); }

}  // namespace
}  // namespace burin
