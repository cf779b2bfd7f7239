// The file layer on real files: continued and interrupted calls, errors that name what happened,
// and zero-filling where fallocate is refused.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <thread>
#include <tuple>

#include "tests/engine/posix_file_system_fixture.h"
#include "tests/engine/system_call_faults.h"

namespace burin {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class FileSystemTest : public FileSystemFixture, public testing::WithParamInterface<Io> {
 protected:
  FileSystemTest() : FileSystemFixture(GetParam()) {}
};

INSTANTIATE_TEST_SUITE_P(Io, FileSystemTest, testing::ValuesIn(kEveryIo), IoName);

TEST_P(FileSystemTest, MoreBuffersThanOneCallTakesAreWrittenInOrder) {
  constexpr size_t kCount = 3 * IOV_MAX + 1;
  std::vector<std::string> words;
  for (size_t i = 0; i < kCount; ++i) words.push_back(std::to_string(i) + " ");
  std::vector<iovec> buffers;
  for (std::string& word : words) buffers.push_back({word.data(), word.size()});
  SystemCallFaults faults;
  ASSERT_TRUE(Create("x")->Write(buffers, 10).ok());
  EXPECT_EQ(faults.writes.load(), 4);
  std::string expected(10, '\0');
  for (const std::string& word : words) expected += word;
  EXPECT_EQ(Content("x"), expected);
}

TEST_P(FileSystemTest, ShortWritesAndReadsAreContinued) {
  std::string first = "0123456789", empty, second = "abcdefghij";
  iovec buffers[] = {{empty.data(), 0},
                     {first.data(), first.size()},
                     {empty.data(), 0},
                     {second.data(), second.size()},
                     {empty.data(), 0}};
  auto file = Create("x");
  SystemCallFaults faults;
  faults.most_bytes = 7;
  ASSERT_TRUE(file->Write(buffers, 0).ok());
  EXPECT_EQ(Content("x"), first + second);
  std::string bytes(100, '?');
  const auto got = file->Read(bytes.data(), bytes.size(), 1);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(bytes.substr(0, *got), (first + second).substr(1));
}

TEST_P(FileSystemTest, InterruptedCallsAreRepeated) {
  auto file = Create("x");
  SystemCallFaults faults;
  faults.interrupted = 3;
  EXPECT_TRUE(Put(file.get(), "abc", 0).ok());
  faults.interrupted = 3;
  EXPECT_TRUE(file->Sync().ok());
  faults.interrupted = 3;
  char byte = 0;
  EXPECT_EQ(*file->Read(&byte, 1, 2), 1u);
  EXPECT_EQ(byte, 'c');
  faults.interrupted = 3;
  EXPECT_TRUE(file->FillWithZeros(4096).ok());
}

TEST_P(FileSystemTest, AWriteThatTakesNothingIsAnErrorAndNoEndlessLoop) {
  auto file = Create("x");
  SystemCallFaults faults;
  faults.most_bytes = 0;
  EXPECT_EQ(Put(file.get(), "abc", 0).code(), StatusCode::kIoError);
}

TEST_P(FileSystemTest, ErrorsNameFileOperationAndReason) {
  auto file = Create("x");
  SystemCallFaults faults;
  faults.write_error = EIO;
  faults.sync_error = EIO;
  faults.read_error = EIO;
  char byte = 0;
  const Status write = Put(file.get(), "abc", 0);
  const Status sync = file->Sync();
  const Status read = file->Read(&byte, 1, 0).TakeStatus();
  EXPECT_EQ(Text(write), folder_ / "x" + ": write: Input/output error");
  EXPECT_EQ(Text(sync), folder_ / "x" + ": fdatasync: Input/output error");
  EXPECT_EQ(Text(read), folder_ / "x" + ": read: Input/output error");
  for (const Status* status : {&write, &sync, &read}) {
    EXPECT_EQ(status->code(), StatusCode::kIoError);
  }
  EXPECT_EQ(faults.syncs.load(), 1);  // a failed sync is never repeated
}

TEST_P(FileSystemTest, AFullDiskAndAFullQuotaAreNoSpace) {
  auto file = Create("x");
  for (const int error : {ENOSPC, EDQUOT}) {
    SystemCallFaults faults;
    faults.write_error = error;
    EXPECT_EQ(Put(file.get(), "abc", 0).code(), StatusCode::kNoSpace);
    EXPECT_EQ(file->FillWithZeros(8192).code(), StatusCode::kNoSpace);
  }
  auto full = files().Open("/dev/full", OpenMode::kReadWrite);
  ASSERT_TRUE(full.ok());
  const Status status = Put(full->get(), "abc", 0);
  EXPECT_EQ(status.code(), StatusCode::kNoSpace);
  EXPECT_EQ(Text(status), "/dev/full: write: No space left on device");
}

TEST_P(FileSystemTest, WritingAndSyncingIsOneWriteAndOneSync) {
  auto file = Create("x");
  SystemCallFaults faults;
  EXPECT_EQ(Text(PutSynced(file.get(), "abc", 2)), "ok");
  EXPECT_EQ(faults.writes.load(), 1);
  EXPECT_EQ(faults.syncs.load(), 1);
  EXPECT_EQ(Content("x"), std::string(2, '\0') + "abc");
}

TEST_P(FileSystemTest, WhatIsSyncedTogetherWithItsWriteIsWhole) {
  auto file = Create("x");
  SystemCallFaults faults;
  faults.most_bytes = 7;
  EXPECT_EQ(Text(PutSynced(file.get(), "0123456789abcdefghij", 0)), "ok");
  EXPECT_EQ(Content("x"), "0123456789abcdefghij");
  EXPECT_EQ(faults.writes.load(), 3);
  EXPECT_EQ(faults.syncs.load(), 1);
  EXPECT_TRUE(faults.synced_last.load());
  faults.interrupted = 3;
  faults.most_bytes = SIZE_MAX;
  EXPECT_EQ(Text(PutSynced(file.get(), "x", 0)), "ok");
  EXPECT_TRUE(faults.synced_last.load());
}

TEST_P(FileSystemTest, OfWritingAndSyncingTheErrorNamesWhichFailed) {
  auto file = Create("x");
  {
    SystemCallFaults faults;
    faults.write_error = EIO;
    EXPECT_EQ(Text(PutSynced(file.get(), "abc", 0)), folder_ / "x" + ": write: Input/output error");
  }
  {
    SystemCallFaults faults;
    faults.sync_error = EIO;
    EXPECT_EQ(Text(PutSynced(file.get(), "abc", 0)),
              folder_ / "x" + ": fdatasync: Input/output error");
    EXPECT_EQ(faults.syncs.load(), 1);  // never repeated
  }
  auto full = files().Open("/dev/full", OpenMode::kReadWrite);
  ASSERT_TRUE(full.ok());
  EXPECT_EQ(Text(PutSynced(full->get(), "abc", 0)), "/dev/full: write: No space left on device");
}

TEST_P(FileSystemTest, ThreadsWriteToOneFileAtOnce) {
  constexpr uint64_t kThreads = 4, kWrites = 50, kSize = 100;
  auto file = Create("x");
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint64_t i = 0; i < kWrites; ++i) {
        const std::string bytes(kSize, static_cast<char>('a' + thread));
        EXPECT_TRUE(PutSynced(file.get(), bytes, (i * kThreads + thread) * kSize).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::string expected;
  for (uint64_t i = 0; i < kWrites * kThreads; ++i) {
    expected += std::string(kSize, static_cast<char>('a' + i % kThreads));
  }
  EXPECT_EQ(Content("x"), expected);
}

TEST_P(FileSystemTest, MissingFilesAndFoldersAreErrorsThatNameThem) {
  const std::string absent = folder_ / "absent";
  const std::vector<Status> statuses = {
      files().Open(absent, OpenMode::kReadOnly).TakeStatus(),
      files().Open(absent, OpenMode::kReadWrite).TakeStatus(),
      files().Open(absent + "/x", OpenMode::kCreate).TakeStatus(),
      files().List(absent).TakeStatus(),
      files().Rename(absent, absent + "2"),
      files().Remove(absent),
      files().RemoveFolder(absent),
      files().SyncFolder(absent),
      files().CreateFolder(absent + "/x"),
      files().Lock(absent, false).TakeStatus(),
      files().Lock(absent + "/x", true).TakeStatus(),
  };
  for (const Status& status : statuses) {
    EXPECT_EQ(status.code(), StatusCode::kIoError);
    EXPECT_THAT(Text(status), AllOf(StartsWith(absent), EndsWith("No such file or directory")));
  }
  EXPECT_FALSE(*files().Exists(absent));
}

TEST_P(FileSystemTest, TheDescriptorLimitIsNamed) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit low = before;
  low.rlim_cur = 20;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  std::vector<std::unique_ptr<File>> open;
  Status status;
  for (int i = 0; i < 30 && status.ok(); ++i) {
    auto file = files().Open(folder_ / std::to_string(i), OpenMode::kCreate);
    if (file.ok()) open.push_back(std::move(*file));
    status = file.TakeStatus();
  }
  const Status lock = files().Lock(folder_ / "LOCK", true).TakeStatus();
  const Status list = files().List(folder_.path()).TakeStatus();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  for (const Status* error : std::initializer_list<const Status*>{&status, &lock, &list}) {
    EXPECT_EQ(error->code(), StatusCode::kIoError);
    EXPECT_THAT(Text(*error), AllOf(HasSubstr("Too many open files"), HasSubstr("limit"),
                                    HasSubstr(" 20"), HasSubstr("ulimit -n")));
  }
}

TEST_P(FileSystemTest, FoldersAreListedSortedAndEmptiedOnesRemoved) {
  const std::string inner = folder_ / "inner";
  ASSERT_TRUE(files().CreateFolder(inner).ok());
  Create("inner/b");
  Create("inner/a");
  ASSERT_TRUE(files().Rename(inner + "/a", inner + "/c").ok());
  ASSERT_TRUE(files().SyncFolder(inner).ok());
  EXPECT_THAT(*files().List(inner), ElementsAre("b", "c"));
  EXPECT_THAT(Text(files().RemoveFolder(inner)), EndsWith("Directory not empty"));
  ASSERT_TRUE(files().Remove(inner + "/b").ok());
  ASSERT_TRUE(files().Remove(inner + "/c").ok());
  ASSERT_TRUE(files().RemoveFolder(inner).ok());
  EXPECT_FALSE(*files().Exists(inner));
}

TEST_P(FileSystemTest, OpeningForCreationTruncates) {
  ASSERT_TRUE(Put(Create("x").get(), "abc", 0).ok());
  EXPECT_EQ(*Create("x")->Size(), 0u);
}

TEST_P(FileSystemTest, LeavingTheCacheTellsTheSystemAndKeepsTheContent) {
  auto file = Create("x");
  ASSERT_TRUE(Put(file.get(), std::string(10'000, 'x'), 0).ok());
  ASSERT_TRUE(file->Sync().ok());
  SystemCallFaults faults;
  file->LeaveCache();
  EXPECT_EQ(faults.leaves_of_cache.load(), 1);
  EXPECT_EQ(Content("x"), std::string(10'000, 'x'));
}

class ZeroFillTest : public FileSystemFixture,
                     public testing::WithParamInterface<std::tuple<Io, int>> {
 protected:
  ZeroFillTest() : FileSystemFixture(std::get<Io>(GetParam())) {}
};

TEST_P(ZeroFillTest, ZerosAreWrittenWhateverFallocateSays) {
  constexpr uint64_t kSize = (2 << 20) + 4096;
  auto file = Create("x");
  ASSERT_TRUE(Put(file.get(), "old content", 5000).ok());
  SystemCallFaults faults;
  faults.fallocate_error = std::get<int>(GetParam());
  const Status status = file->FillWithZeros(kSize);
  ASSERT_TRUE(status.ok()) << Text(status);
  EXPECT_EQ(faults.fallocates.load(), 1);
  EXPECT_EQ(faults.writes.load(), 3);  // a MiB each
  EXPECT_EQ(Content("x"), std::string(kSize, '\0'));
  struct stat information {};
  ASSERT_EQ(stat((folder_ / "x").c_str(), &information), 0);
  EXPECT_GE(static_cast<uint64_t>(information.st_blocks) * 512, kSize);
}

INSTANTIATE_TEST_SUITE_P(Refusals, ZeroFillTest,
                         testing::Combine(testing::ValuesIn(kEveryIo),
                                          testing::Values(0, EOPNOTSUPP, EINVAL, ENOSPC, EPERM,
                                                          ENOSYS)));

TEST_P(FileSystemTest, ZeroFillingCutsALongerFileAndTakesNoBytesAtAll) {
  auto file = Create("x");
  ASSERT_TRUE(Put(file.get(), "x", 20000).ok());
  ASSERT_TRUE(file->FillWithZeros(4096).ok());
  EXPECT_EQ(Content("x"), std::string(4096, '\0'));
  ASSERT_TRUE(file->FillWithZeros(0).ok());
  EXPECT_EQ(*file->Size(), 0u);
}

TEST_P(FileSystemTest, ADiskErrorInFallocateIsReported) {
  auto file = Create("x");
  SystemCallFaults faults;
  faults.fallocate_error = EIO;
  EXPECT_EQ(Text(file->FillWithZeros(4096)), folder_ / "x" + ": fallocate: Input/output error");
}

TEST_P(FileSystemTest, NoDescriptorOutlivesAnExec) {
  const auto file = Create("x");
  const auto lock = files().Lock(folder_ / "LOCK", true);
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    const std::string target = std::filesystem::read_symlink(entry.path(), ignored);
    if (!target.starts_with(folder_.path())) continue;
    const int flags = fcntl(std::stoi(entry.path().filename()), F_GETFD);
    EXPECT_NE(flags & FD_CLOEXEC, 0) << target;
    ++found;
  }
  EXPECT_EQ(found, 2);
}

}  // namespace
}  // namespace burin
