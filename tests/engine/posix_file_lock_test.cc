// The lock of a database's folder: one holder, named to others, that never outlives its process.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/engine/posix_file_system_fixture.h"

namespace burin {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class FileLockTest : public FileSystemFixture, public testing::WithParamInterface<Io> {
 protected:
  FileLockTest() : FileSystemFixture(GetParam()) {}

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
