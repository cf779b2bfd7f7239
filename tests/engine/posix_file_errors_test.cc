// The file layer where calls fail that seldom do: each error names the path, the operation and the
// reason, and what was begun is given back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "engine/io/posix_file.h"
#include "tests/engine/posix_file_system_fixture.h"
#include "tests/engine/system_call_faults.h"

namespace burin {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class FileErrorsTest : public FileSystemFixture, public testing::WithParamInterface<Io> {
 protected:
  FileErrorsTest() : FileSystemFixture(GetParam()) {}

  static size_t OpenDescriptors() {
    const std::filesystem::directory_iterator entries("/proc/self/fd");
    return static_cast<size_t>(std::distance(begin(entries), end(entries)));
  }
};

INSTANTIATE_TEST_SUITE_P(Io, FileErrorsTest, testing::ValuesIn(kEveryIo), IoName);

TEST_P(FileErrorsTest, AFolderThatCannotBeSyncedIsReportedAndClosed) {
  const size_t open = OpenDescriptors();
  SystemCallFaults faults;
  faults.folder_sync_error = EIO;
  const Status status = files().SyncFolder(folder_.path());
  EXPECT_EQ(status.code(), StatusCode::kIoError);
  EXPECT_EQ(Text(status), folder_.path() + ": sync the folder: Input/output error");
  faults.folder_sync_error = 0;
  faults.interrupted = 3;
  EXPECT_EQ(Text(files().SyncFolder(folder_.path())), "ok");
  EXPECT_EQ(faults.interrupted.load(), 0);
  EXPECT_EQ(OpenDescriptors(), open);
}

TEST_P(FileErrorsTest, AFolderThatCannotBeReadToItsEndIsNotAnEmptyOne) {
  const size_t open = OpenDescriptors();
  Create("x");
  Status status;
  {
    SystemCallFaults faults;
    faults.list_error = EIO;
    status = files().List(folder_.path()).TakeStatus();
  }
  EXPECT_EQ(status.code(), StatusCode::kIoError);
  EXPECT_EQ(Text(status), folder_.path() + ": read the folder: Input/output error");
  EXPECT_EQ(OpenDescriptors(), open);
}

TEST_P(FileErrorsTest, APathThatCannotBeLookedAtIsNeitherThereNorAbsent) {
  const std::string path = folder_ / std::string(300, 'x');
  const Status status = files().Exists(path).TakeStatus();
  EXPECT_EQ(status.code(), StatusCode::kIoError);
  EXPECT_EQ(Text(status), path + ": stat: File name too long");
  Create("file");
  EXPECT_FALSE(*files().Exists(folder_ / "file/x"));
}

TEST_P(FileErrorsTest, ALockThatTheFileSystemDoesNotHaveIsNoLockOfAnother) {
  const std::string path = folder_ / "LOCK";
  const size_t open = OpenDescriptors();
  {
    SystemCallFaults faults;
    faults.lock_error = ENOLCK;
    const Status taken = files().Lock(path, true).TakeStatus();
    const Status tested = files().Lock(path, false).TakeStatus();
    EXPECT_EQ(taken.code(), StatusCode::kIoError);
    EXPECT_EQ(tested.code(), StatusCode::kIoError);
    EXPECT_EQ(Text(taken), path + ": lock: No locks available");
    EXPECT_EQ(Text(tested), path + ": test the lock: No locks available");
    faults.lock_error = EACCES;  // how some systems say that another has it
    EXPECT_EQ(files().Lock(path, true).status().code(), StatusCode::kInUse);
  }
  EXPECT_EQ(OpenDescriptors(), open);
  EXPECT_TRUE(files().Lock(path, true).ok());
}

// Who holds a lock is told where it can be: the lock is there without.
TEST_P(FileErrorsTest, ALockWhoseHolderCannotBeWrittenIsHeldAllTheSame) {
  const std::string path = folder_ / "LOCK";
  SystemCallFaults faults;
  faults.truncate_error = EIO;
  const auto lock = files().Lock(path, true);
  ASSERT_TRUE(lock.ok());
  const Status status = files().Lock(path, false).TakeStatus();
  EXPECT_EQ(status.code(), StatusCode::kInUse);
  EXPECT_THAT(Text(status), HasSubstr("a process that did not leave its id"));
}

TEST_P(FileErrorsTest, ASizeThatCannotBeReadOrSetIsReported) {
  const auto file = Create("x");
  SystemCallFaults faults;
  faults.size_error = EIO;
  EXPECT_EQ(Text(file->Size().status()), folder_ / "x" + ": stat: Input/output error");
  faults.truncate_error = EFBIG;
  EXPECT_EQ(Text(file->FillWithZeros(4096)), folder_ / "x" + ": truncate: File too large");
}

TEST_P(FileErrorsTest, AZeroFillThatFailsHalfWayIsReported) {
  const auto file = Create("x");
  SystemCallFaults faults;
  faults.write_error = EIO;
  EXPECT_EQ(Text(file->FillWithZeros(4096)), folder_ / "x" + ": write: Input/output error");
}

TEST(FailureText, NamesTheReasonAndWhoseLimitItIs) {
  constexpr int kNoError = 5000;
  EXPECT_EQ(Text(Failure("/a", "read", kNoError)), "/a: read: error 5000");
  EXPECT_THAT(Text(Failure("/a", "open", ENFILE)), EndsWith("/proc/sys/fs/file-max)"));
  EXPECT_THAT(Text(Failure("/a", "open", EMFILE)), StartsWith("/a: open: Too many open files ("));
}

}  // namespace
}  // namespace burin
