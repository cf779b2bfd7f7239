// The file layer on real files: continued and interrupted calls, errors that name what happened,
// zero-filling where fallocate is refused, and a lock that never outlives its process.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>
#include <tuple>

#include "engine/engine.h"
#include "engine/io/file_system.h"
#include "engine/io/io_uring_file_system.h"
#include "tests/engine/system_call_faults.h"
#include "tests/engine/temporary_folder.h"

namespace burin {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

using OpenMode = FileSystem::OpenMode;

std::string Text(const Status& status) { return std::string(status.message()); }

// The same is asked of every way to write. Where the kernel does not have one, its tests are
// skipped.
class FileSystemFixture : public testing::Test {
 protected:
  explicit FileSystemFixture(Io io) {
    if (io == Io::kPwrite) return;
    auto made = MakeIoUringFileSystem();
    refusal_ = Text(made.status());
    if (made.ok()) own_files_ = std::move(*made);
  }

  void SetUp() override {
    if (refusal_ != "ok") GTEST_SKIP() << refusal_;
  }

  std::unique_ptr<File> Create(const std::string& name) {
    auto file = files().Open(folder_ / name, OpenMode::kCreate);
    EXPECT_TRUE(file.ok()) << Text(file.status());
    return std::move(*file);
  }

  std::string Content(const std::string& name) {
    std::ifstream stream(folder_ / name, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    return content.str();
  }

  static Status Put(File* file, std::string bytes, uint64_t offset) {
    iovec buffer{bytes.data(), bytes.size()};
    return file->Write({&buffer, 1}, offset);
  }

  static Status PutSynced(File* file, std::string bytes, uint64_t offset) {
    iovec buffer{bytes.data(), bytes.size()};
    return file->WriteAndSync({&buffer, 1}, offset);
  }

  TemporaryFolder folder_;
  FileSystem& files() { return own_files_ != nullptr ? *own_files_ : PosixFileSystem(); }

 private:
  std::string refusal_ = "ok";
  std::unique_ptr<FileSystem> own_files_;
};

class FileSystemTest : public FileSystemFixture, public testing::WithParamInterface<Io> {
 protected:
  FileSystemTest() : FileSystemFixture(GetParam()) {}
};

std::string IoName(const testing::TestParamInfo<Io>& io) {
  return io.param == Io::kPwrite ? "Pwrite" : "IoUring";
}

constexpr auto kEveryIo = {Io::kPwrite, Io::kIoUring};
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

class FileLockTest : public FileSystemTest {
 protected:
  // A process that runs `body` until it is killed or says it is done, and tells a number.
  struct Child {
    pid_t pid = 0;
    int64_t told = 0;  // what `body` returned
  };

  // Until killed; but no process is left behind by a test that failed.
  static void Sleep() {
    alarm(60);
    while (true) pause();
  }

  // Forks; the child runs `body`, tells its result and sleeps.
  template <typename Body>
  static Child Spawn(Body body) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    Child child;
    child.pid = fork();
    if (child.pid == 0) {
      const int64_t result = body();
      (void)!write(ends[1], &result, sizeof result);
      Sleep();
    }
    close(ends[1]);
    EXPECT_EQ(read(ends[0], &child.told, sizeof child.told),
              static_cast<ssize_t>(sizeof child.told));
    close(ends[0]);
    return child;
  }

  static void Kill(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }

  StatusCode TryLock() { return files().Lock(lock_path_, true).status().code(); }

  const std::string lock_path_ = folder_ / "LOCK";
};

INSTANTIATE_TEST_SUITE_P(Io, FileLockTest, testing::ValuesIn(kEveryIo), IoName);

TEST_P(FileLockTest, ASecondLockInTheSameProcessIsRefusedAndNamesIt) {
  auto lock = files().Lock(lock_path_, true);
  ASSERT_TRUE(lock.ok());
  for (const bool create : {true, false}) {
    const Status status = files().Lock(lock_path_, create).TakeStatus();
    EXPECT_EQ(status.code(), StatusCode::kInUse);
    EXPECT_EQ(Text(status),
              lock_path_ + ": in use by this process (" + std::to_string(getpid()) + ")");
  }
  EXPECT_EQ(Content("LOCK"), std::to_string(getpid()) + "\n");
  lock->reset();
  EXPECT_EQ(TryLock(), StatusCode::kOk);
}

TEST_P(FileLockTest, TestingALockNeitherTakesNorChangesNorMakesIt) {
  EXPECT_EQ(files().Lock(lock_path_, false).status().code(), StatusCode::kIoError);
  EXPECT_FALSE(*files().Exists(lock_path_));
  ASSERT_TRUE(Put(Create("LOCK").get(), "left as it is", 0).ok());
  const auto tested = files().Lock(lock_path_, false);
  ASSERT_TRUE(tested.ok());
  EXPECT_EQ(Content("LOCK"), "left as it is");
  EXPECT_EQ(TryLock(), StatusCode::kOk);
}

TEST_P(FileLockTest, AnotherProcessIsNamedAndItsDeathFreesTheLock) {
  const Child child = Spawn([&]() -> int64_t {
    static auto lock = files().Lock(lock_path_, true);
    return lock.ok() ? 0 : -1;
  });
  ASSERT_EQ(child.told, 0);
  for (const bool create : {true, false}) {
    const Status status = files().Lock(lock_path_, create).TakeStatus();
    EXPECT_EQ(status.code(), StatusCode::kInUse);
    EXPECT_EQ(Text(status), lock_path_ + ": in use by process " + std::to_string(child.pid));
  }
  Kill(child.pid);
  EXPECT_EQ(TryLock(), StatusCode::kOk);
}

TEST_P(FileLockTest, TheLockEndsWithItsTakerThoughAForkedChildLives) {
  const Child child = Spawn([&]() -> int64_t {
    static auto lock = files().Lock(lock_path_, true);
    if (!lock.ok()) return -1;
    return Spawn([] { return 0; }).pid;  // a child that runs on and knows nothing of the lock
  });
  ASSERT_GT(child.told, 0);
  const auto grandchild = static_cast<pid_t>(child.told);
  EXPECT_EQ(TryLock(), StatusCode::kInUse);
  Kill(child.pid);
  EXPECT_EQ(kill(grandchild, 0), 0);
  EXPECT_EQ(TryLock(), StatusCode::kOk);
  kill(grandchild, SIGKILL);
}

TEST_P(FileLockTest, AForkedChildHasNoPartInTheLock) {
  auto lock = files().Lock(lock_path_, true);
  ASSERT_TRUE(lock.ok());
  const Child child = Spawn([&]() -> int64_t {
    const bool refused = files().Lock(lock_path_, true).status().code() == StatusCode::kInUse;
    const int reused = open("/dev/null", O_RDONLY);  // the number of the descriptor it had
    lock->reset();                                   // its copy, which must close nothing
    const bool untouched = fcntl(reused, F_GETFD) != -1;
    return refused && untouched ? 1 : 0;
  });
  EXPECT_EQ(child.told, 1);
  EXPECT_EQ(TryLock(), StatusCode::kInUse);  // ours, whatever the child did
  Kill(child.pid);
}

TEST_P(FileLockTest, AHolderLeftBehindByABareCloneIsNotTakenForItsParent) {
  pid_t clone = 0;
  const Child child = Spawn([&]() -> int64_t {
    static auto lock = files().Lock(lock_path_, true);
    clone = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
    if (clone == 0) Sleep();
    return clone;
  });
  ASSERT_GT(child.told, 0);
  Kill(child.pid);
  const Status status = files().Lock(lock_path_, true).TakeStatus();
  EXPECT_EQ(status.code(), StatusCode::kInUse);
  EXPECT_THAT(Text(status), AllOf(HasSubstr(std::to_string(child.pid)), HasSubstr("has ended")));
  kill(static_cast<pid_t>(child.told), SIGKILL);
}

TEST_P(FileLockTest, AHolderThatLeftNoIdIsStillReported) {
  auto lock = files().Lock(lock_path_, true);
  ASSERT_TRUE(lock.ok());
  ASSERT_EQ(truncate(lock_path_.c_str(), 0), 0);
  EXPECT_THAT(Text(files().Lock(lock_path_, true).TakeStatus()), HasSubstr("did not leave its id"));
}

}  // namespace
}  // namespace burin
