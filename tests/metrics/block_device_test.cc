#include "metrics/block_device.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace metrics {
namespace {

constexpr const char* kStat =
    "  353020    42425 11787050  2107604  2578963   139091 272030816  1363449        0   359464 "
    " 3588890   106444       25 237782792    59431  1033138    58405\n";

class BlockDeviceTest : public testing::Test {
 protected:
  BlockDeviceTest() {
    std::string pattern = testing::TempDir() + "/block-device-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    std::filesystem::create_directory(folder_ + "/queue");
  }
  ~BlockDeviceTest() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name) << text;
  }

  std::string folder_;
};

TEST(FlushesOfStat, AreItsSixteenthField) {
  EXPECT_EQ(FlushesOfStat(kStat), 1033138u);
  EXPECT_EQ(FlushesOfStat("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"), 16u);
}

TEST(FlushesOfStat, AreAbsentWhereTheKernelIsOlderOrTheTextAnother) {
  EXPECT_EQ(FlushesOfStat("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"), std::nullopt);
  EXPECT_EQ(FlushesOfStat(""), std::nullopt);
  EXPECT_EQ(FlushesOfStat("1 2 x"), std::nullopt);
}

TEST_F(BlockDeviceTest, TellsWhetherFlushesProveAnything) {
  Write("stat", kStat);
  Write("queue/write_cache", "write back\n");
  Write("queue/fua", "0\n");
  auto device = BlockDevice::InFolder(folder_);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->Flushes(), 1033138u);
  EXPECT_TRUE(device->has_volatile_cache());
  EXPECT_FALSE(device->writes_through_on_demand());
  Write("queue/write_cache", "write through\n");
  Write("queue/fua", "1\n");
  device = BlockDevice::InFolder(folder_);
  ASSERT_TRUE(device);
  EXPECT_FALSE(device->has_volatile_cache());
  EXPECT_TRUE(device->writes_through_on_demand());
}

TEST_F(BlockDeviceTest, IsAbsentWithoutAStatFile) {
  EXPECT_FALSE(BlockDevice::InFolder(folder_));
  EXPECT_FALSE(BlockDevice::Of("/proc/self"));
}

}  // namespace
}  // namespace metrics
