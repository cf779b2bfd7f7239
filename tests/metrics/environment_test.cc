#include "metrics/environment.h"

#include <gmock/gmock.h>

namespace metrics {
namespace {

using testing::IsEmpty;
using testing::Not;

TEST(Environment, ReadsTheCpuModel) {
  EXPECT_EQ(CpuModel("processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\n"
                     "model name\t: AMD EPYC 7R13 Processor\nmodel name\t: another\n"),
            "AMD EPYC 7R13 Processor");
  EXPECT_EQ(CpuModel("processor : 0\nBogoMIPS : 62.50\nCPU implementer\t: 0x41\n"
                     "CPU architecture: 8\nCPU part\t: 0xd0c\n"),
            "implementer 0x41 part 0xd0c");
  EXPECT_EQ(CpuModel("processor\t: 0\ncpu\t\t: POWER9, altivec supported\n"),
            "POWER9, altivec supported");
  EXPECT_EQ(CpuModel(""), "");
}

constexpr const char* kMounts =
    "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
    "27 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw,discard\n"
    "40 27 0:40 / /mnt/a\\040b rw - fuse.sshfs host:/a\\040b rw\n"
    "41 27 0:41 / /broken rw\n";

TEST(Environment, ReadsTheFileSystemOfAMount) {
  EXPECT_EQ(FileSystemOfMount(kMounts, 27), "ext4 on /dev/vda");
  EXPECT_EQ(FileSystemOfMount(kMounts, 22), "proc on proc");
  EXPECT_EQ(FileSystemOfMount(kMounts, 40), "fuse.sshfs on host:/a b");
}

TEST(Environment, HasNoFileSystemOfAnUnknownMount) {
  EXPECT_EQ(FileSystemOfMount(kMounts, 2), "");
  EXPECT_EQ(FileSystemOfMount(kMounts, 41), "");
  EXPECT_EQ(FileSystemOfMount("", 1), "");
}

TEST(Environment, DescribesThisMachine) {
  const Environment environment = CollectEnvironment("/proc/self");
  EXPECT_EQ(environment.file_system, "proc on proc");
  EXPECT_GE(environment.cores, 1);
  EXPECT_THAT(environment.kernel, testing::StartsWith("Linux "));
  ASSERT_EQ(environment.libraries.size(), 1);
  EXPECT_EQ(environment.libraries[0].first, "libpfm4");
  EXPECT_THAT(environment.libraries[0].second, testing::MatchesRegex("[0-9]+\\.[0-9]+"));
}

TEST(Environment, TakesTheNearestFolderOfAPathThatIsNotThereYet) {
  EXPECT_EQ(CollectEnvironment("/proc/no/such/folder.db").file_system, "proc on proc");
  EXPECT_THAT(CollectEnvironment("write_throughput_test.db").file_system, Not(IsEmpty()));
}

}  // namespace
}  // namespace metrics
