// Names of runs, integers of varying length, and the filter of a block.
#include "engine/runs/run_format.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "engine/runs/key_filter.h"
#include "engine/runs/varint.h"

namespace burin {
namespace {

TEST(RunNameTest, NamesLeadBackToTheirNumbers) {
  EXPECT_EQ(RunPath("db", 7), "db/run-000000000007");
  EXPECT_EQ(UnfinishedRunPath("db", 7), "db/run-000000000007.new");
  EXPECT_EQ(RunIdOf("run-000000000007"), 7U);
  EXPECT_EQ(RunIdOf("run-999999999999"), 999999999999U);
  EXPECT_TRUE(IsRunName("run-000000000007"));
  EXPECT_TRUE(IsRunName("run-000000000007.new"));
}

TEST(RunNameTest, OtherNamesAreNoRuns) {
  for (const char* name : {"run-", "run-7", "run-000000000000", "run-00000000000x",
                           "run-0000000000007", "log-000000000007", "run-000000000007.old", ""}) {
    EXPECT_FALSE(IsRunName(name)) << name;
  }
  EXPECT_EQ(RunIdOf("run-000000000007.new"), 0U);
}

TEST(VarintTest, EveryLengthComesBack) {
  for (unsigned bits = 0; bits <= 64; ++bits) {
    const uint64_t power = bits == 64 ? 0 : uint64_t{1} << bits;
    for (const uint64_t value : {power - 1, power, power + 1}) {
      char bytes[10];
      const char* end = PutVarint(bytes, value);
      uint64_t read = 0;
      EXPECT_EQ(GetVarint(bytes, end, read), end);
      EXPECT_EQ(read, value);
    }
  }
}

TEST(VarintTest, CutOrOverlongIntegersAreRefused) {
  char bytes[11];
  const char* end = PutVarint(bytes, std::numeric_limits<uint64_t>::max());
  uint64_t read = 0;
  for (const char* cut = bytes; cut < end; ++cut) {
    EXPECT_EQ(GetVarint(bytes, cut, read), nullptr);
  }
  bytes[9] = 2;  // the 65th bit
  EXPECT_EQ(GetVarint(bytes, end, read), nullptr);
  std::fill(std::begin(bytes), std::end(bytes), '\x80');
  EXPECT_EQ(GetVarint(bytes, std::end(bytes), read), nullptr);
}

TEST(VarintTest, SmallDifferencesOfEitherSignAreSmallNumbers) {
  EXPECT_EQ(ZigZag(0), 0U);
  EXPECT_EQ(ZigZag(static_cast<uint64_t>(-1)), 1U);
  EXPECT_EQ(ZigZag(1), 2U);
  for (const uint64_t value : {uint64_t{0}, uint64_t{5}, ~uint64_t{0}, uint64_t{1} << 63}) {
    EXPECT_EQ(UnZigZag(ZigZag(value)), value);
  }
}

class FilterTest : public testing::Test {
 protected:
  static std::string Filter(const std::vector<int64_t>& keys) {
    std::string bytes(FilterBytes(keys.size()), '\0');
    BuildFilter(keys, bytes.data());
    SealFilter(bytes.data(), bytes.size(), 17);
    return bytes;
  }
};

TEST_F(FilterTest, NoKeyIsEverMissed) {
  std::mt19937_64 random(1);
  for (const size_t count : {1, 2, 7, 100, 5000}) {
    std::vector<int64_t> keys;
    for (size_t i = 0; i < count; ++i) keys.push_back(static_cast<int64_t>(random()));
    const KeyFilter filter(Filter(keys));
    for (const int64_t key : keys) EXPECT_TRUE(filter.MayContain(key));
  }
}

TEST_F(FilterTest, FewAbsentKeysPass) {
  std::vector<int64_t> keys;
  for (int64_t i = 0; i < 1000; ++i) keys.push_back(i * 1000);
  const KeyFilter filter(Filter(keys));
  int passed = 0;
  for (int64_t i = 0; i < 100'000; ++i) passed += filter.MayContain(i * 10 + 1) ? 1 : 0;
  EXPECT_LT(passed, 2500);
}

TEST_F(FilterTest, TenBitsAKey) { EXPECT_LE(FilterBytes(1000), 1000 * 10 / 8 + 16); }

TEST_F(FilterTest, AFilterProvesWhoseItIs) {
  std::string filter = Filter({1, 5, 9});
  EXPECT_TRUE(FilterIsWhole(filter, 17));
  EXPECT_FALSE(FilterIsWhole(filter, 18));
  EXPECT_FALSE(FilterIsWhole(filter.substr(0, 8), 17));
  EXPECT_FALSE(FilterIsWhole(filter.substr(0, 15), 17));
  for (char& byte : filter) {
    byte = static_cast<char>(byte ^ 4);
    EXPECT_FALSE(FilterIsWhole(filter, 17));
    byte = static_cast<char>(byte ^ 4);
  }
}

}  // namespace
}  // namespace burin
