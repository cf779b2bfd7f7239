#include "metrics/sync_tracepoints.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/metrics/fake_perf_system.h"

namespace metrics {
namespace {

using testing::HasSubstr;

class SyncTracepointsTest : public testing::Test {
 protected:
  SyncTracepointsTest() {
    std::string name = testing::TempDir() + "tracefs-XXXXXX";
    root_ = mkdtemp(name.data());
  }
  ~SyncTracepointsTest() override { std::filesystem::remove_all(root_); }

  void MakeTracepoints(const std::string& place) {
    int number = 500;
    for (const std::string call : {"fsync", "fdatasync", "msync", "sync", "syncfs"}) {
      const std::string folder = root_ + place + "/events/syscalls/sys_enter_" + call;
      std::filesystem::create_directories(folder);
      std::ofstream(folder + "/id") << number++ << "\n";
    }
  }
  std::string Refusal() {
    const auto opened = SyncTracepoints::Open(system_, root_);
    EXPECT_FALSE(opened);
    EXPECT_EQ(system_.OpenDescriptors(), 0);
    return opened ? "" : opened.error();
  }

  std::string root_;
  FakePerfSystem system_;
};

TEST_F(SyncTracepointsTest, CountAllThreadsInEitherPlaceOfTracefs) {
  for (const char* place : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    std::filesystem::remove_all(root_ + "/sys");
    MakeTracepoints(place);
    const auto opened = SyncTracepoints::Open(system_, root_);
    ASSERT_TRUE(opened) << opened.error();
    const auto* counter = system_.Find(PERF_TYPE_TRACEPOINT, 501);
    ASSERT_NE(counter, nullptr);
    EXPECT_TRUE(counter->attributes.inherit);
    system_.Run(10);
    EXPECT_EQ((*opened)->Count(), 50) << "the sum of the five";
  }
  EXPECT_EQ(system_.OpenDescriptors(), 0);
}

TEST_F(SyncTracepointsTest, OfMsyncCountOnlyWhatIsSynchronous) {
  MakeTracepoints("/sys/kernel/tracing");
  const auto opened = SyncTracepoints::Open(system_, root_);
  EXPECT_THAT(system_.calls, testing::ElementsAre("filter 5 flags & 4"));
}

TEST_F(SyncTracepointsTest, SayWhyTheyCannotBeHad) {
  EXPECT_THAT(Refusal(), HasSubstr("tracefs is not mounted: mount -t tracefs"));
  std::filesystem::create_directories(root_ + "/sys/kernel/tracing/events");
  EXPECT_THAT(Refusal(), HasSubstr("CONFIG_FTRACE_SYSCALLS"));
  MakeTracepoints("/sys/kernel/tracing");
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.config == 504 ? EACCES : 0;
  };
  system_.machine.paranoid = 2;
  EXPECT_THAT(Refusal(), HasSubstr("perf_event_paranoid is 2 (EACCES)"));
  system_.refuse = nullptr;
  system_.filter_error = EINVAL;
  EXPECT_THAT(Refusal(), HasSubstr("EINVAL"));
}

TEST(SyncTracepointsOfThisKernel, SeeRawSystemCallsOfEveryThread) {
  const auto opened = SyncTracepoints::Open();
  if (!opened) GTEST_SKIP() << opened.error();
  const int file = open(testing::TempDir().c_str(), O_TMPFILE | O_RDWR, 0600);
  ASSERT_GE(file, 0);
  void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const uint64_t before = (*opened)->Count();
  std::thread([&] { syscall(SYS_fdatasync, file); }).join();
  fsync(file);
  msync(page, 4096, MS_ASYNC);
  EXPECT_EQ((*opened)->Count() - before, 2);
  msync(page, 4096, MS_SYNC);
  EXPECT_EQ((*opened)->Count() - before, 3);
  munmap(page, 4096);
  close(file);
}

}  // namespace
}  // namespace metrics
