// Counts of this very process, whose writes and syncs pass by system_calls.cc.
#include <dlfcn.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <thread>

#include "apps/write-throughput/interposition/call_counts.h"
#include "tests/write-throughput/temporary_folder.h"

namespace throughput {
namespace {

class InterpositionTest : public testing::Test {
 protected:
  InterpositionTest() { file_ = Open(0); }
  ~InterpositionTest() override { close(file_); }

  int Open(int flags) {
    const int file = open((folder_ / "file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | flags, 0600);
    EXPECT_GE(file, 0);
    return file;
  }

  // What `body` adds to the counts of the process.
  template <typename Body>
  CallCounts Counted(const Body& body) {
    const CallCounts before = CountCalls();
    body();
    return CountCalls() - before;
  }

  TemporaryFolder folder_;
  int file_ = -1;
};

TEST_F(InterpositionTest, EveryWayToWriteIsCountedWithItsBytes) {
  char text[] = "abcdef";
  const iovec parts[] = {{text, 2}, {text, 3}};
  const CallCounts counts = Counted([&] {
    EXPECT_EQ(write(file_, text, 6), 6);
    EXPECT_EQ(writev(file_, parts, 2), 5);
    EXPECT_EQ(pwrite(file_, text, 6, 0), 6);
    EXPECT_EQ(pwrite64(file_, text, 4, 3), 4);
    EXPECT_EQ(pwritev(file_, parts, 2, 20), 5);
    EXPECT_EQ(pwritev64(file_, parts, 2, 25), 5);
    EXPECT_EQ(pwritev2(file_, parts, 2, 30, 0), 5);
    EXPECT_EQ(pwritev64v2(file_, parts, 2, 35, 0), 5);
  });
  EXPECT_EQ(counts.writes, 8u);
  EXPECT_EQ(counts.bytes, 41u);
  EXPECT_EQ(counts.syncs, 0u);
  EXPECT_EQ(folder_.Read("file").size(), 40u);
  EXPECT_EQ(folder_.Read("file").substr(35), "ababc") << "positions arrive whole";
}

TEST_F(InterpositionTest, EveryWayToSyncIsCountedAndTimed) {
  ASSERT_EQ(write(file_, "x", 1), 1);
  void* map = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  ASSERT_NE(map, MAP_FAILED);
  const CallCounts counts = Counted([&] {
    EXPECT_EQ(fsync(file_), 0);
    EXPECT_EQ(fdatasync(file_), 0);
    EXPECT_EQ(msync(map, 4096, MS_SYNC), 0);
    EXPECT_EQ(msync(map, 4096, MS_ASYNC), 0) << "which makes nothing durable";
    EXPECT_EQ(sync_file_range(file_, 0, 0, SYNC_FILE_RANGE_WRITE), 0);
    EXPECT_EQ(syncfs(file_), 0);
  });
  munmap(map, 4096);
  EXPECT_EQ(counts.syncs, 4u);
  EXPECT_EQ(counts.range_syncs, 1u);
  EXPECT_EQ(counts.SyncLatency().Count(), 4u);
  EXPECT_GT(counts.SyncLatency().min(), 0);
}

TEST_F(InterpositionTest, WritesThatSyncByThemselvesAreSyncsToo) {
  const iovec part = {const_cast<char*>("abc"), 3};
  EXPECT_EQ(Counted([&] { EXPECT_EQ(pwritev2(file_, &part, 1, 0, RWF_DSYNC), 3); }).syncs, 1u);
  for (const int flag : {O_DSYNC, O_SYNC}) {
    const int synced = Open(flag);
    const CallCounts counts = Counted([&] { EXPECT_EQ(write(synced, "abc", 3), 3); });
    EXPECT_EQ(counts.syncs, 1u);
    EXPECT_EQ(counts.bytes, 3u);
    close(synced);
  }
}

TEST_F(InterpositionTest, ANumberThatIsAnotherFilesNowIsAskedAnew) {
  const int synced = Open(O_DSYNC);
  EXPECT_EQ(write(synced, "abc", 3), 3);
  close(synced);
  const int plain = Open(0);
  ASSERT_EQ(plain, synced) << "the lowest that is free";
  EXPECT_EQ(Counted([&] { EXPECT_EQ(write(plain, "abc", 3), 3); }).syncs, 0u);
  close(plain);
}

TEST_F(InterpositionTest, PipesAreNoFiles) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(Counted([&] { EXPECT_EQ(write(ends[1], "abc", 3), 3); }).writes, 0u);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(InterpositionTest, ErrorsAreThoseOfTheSystem) {
  const CallCounts counts = Counted([&] {
    errno = 0;
    EXPECT_EQ(fdatasync(-1), -1);
    EXPECT_EQ(errno, EBADF);
    errno = 0;
    EXPECT_EQ(write(-1, "x", 1), -1);
    EXPECT_EQ(errno, EBADF);
  });
  EXPECT_EQ(counts.syncs, 0u) << "what failed made nothing durable";
  EXPECT_EQ(counts.bytes, 0u);
}

TEST_F(InterpositionTest, ThreadsThatHaveEndedStayCounted) {
  const CallCounts counts = Counted([&] {
    for (int round = 0; round < 20; ++round) {
      std::vector<std::thread> threads;
      for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] { EXPECT_EQ(pwrite(file_, "abcde", 5, 0), 5); });
      }
      for (std::thread& thread : threads) thread.join();
    }
  });
  EXPECT_EQ(counts.writes, 80u);
  EXPECT_EQ(counts.bytes, 400u);
}

TEST_F(InterpositionTest, CountsMayBeReadWhileThreadsWrite) {
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    while (!stop) EXPECT_EQ(pwrite(file_, "abcde", 5, 0), 5);
  });
  uint64_t last = 0;
  for (int i = 0; i < 100; ++i) {
    const uint64_t bytes = CountCalls().bytes;
    EXPECT_GE(bytes, last);
    last = bytes;
  }
  stop = true;
  writer.join();
}

TEST_F(InterpositionTest, CallsOfLoadedLibrariesArriveHere) {
  void* sqlite = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
  if (sqlite == nullptr) GTEST_SKIP() << dlerror();
  using OpenDatabase = int (*)(const char*, void**);
  using ExecuteSql = int (*)(void*, const char*, void*, void*, char**);
  const auto open_database = reinterpret_cast<OpenDatabase>(dlsym(sqlite, "sqlite3_open"));
  const auto execute = reinterpret_cast<ExecuteSql>(dlsym(sqlite, "sqlite3_exec"));
  void* database = nullptr;
  ASSERT_EQ(open_database((folder_ / "x.sqlite").c_str(), &database), 0);
  const CallCounts counts = Counted([&] {
    EXPECT_EQ(
        execute(database, "PRAGMA synchronous=FULL; CREATE TABLE t(x)", nullptr, nullptr, nullptr),
        0);
  });
  EXPECT_GE(counts.syncs, 2u);
  EXPECT_GE(counts.writes, 2u);
  EXPECT_GE(counts.bytes, 8192u);
}

}  // namespace
}  // namespace throughput
