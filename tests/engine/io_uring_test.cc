// What is particular to io_uring: where it may not be used, what one submission holds, and a
// database that is written by it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "engine/io/io_uring_file_system.h"
#include "tests/engine/system_call_faults.h"
#include "tests/engine/temporary_folder.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

EngineOptions IoUringOptions() {
  EngineOptions options = SmallOptions(nullptr);
  options.io = Io::kIoUring;
  return options;
}

// Skips where this machine has none; else there would be nothing to test.
class IoUringTest : public testing::Test {
 protected:
  void SetUp() override {
    const Status status = Engine::CheckIo(Io::kIoUring);
    if (!status.ok()) GTEST_SKIP() << Text(status);
  }

  TemporaryFolder folder_;
};

TEST(IoUringRefusal, IsOneLineThatSaysWhyAndNothingIsMade) {
  const TemporaryFolder folder;
  const std::string path = folder / "db";
  for (const int error : {EPERM, ENOSYS}) {
    SystemCallFaults faults;
    faults.ring_error = error;
    for (const Status& status :
         {Engine::CheckIo(Io::kIoUring), Engine::Open(path, IoUringOptions()).TakeStatus()}) {
      EXPECT_EQ(status.code(), StatusCode::kUnsupported);
      EXPECT_THAT(Text(status), testing::StartsWith("io_uring: "));
      EXPECT_THAT(Text(status), testing::Not(HasSubstr("\n")));
    }
    EXPECT_TRUE(Engine::CheckIo(Io::kPwrite).ok());
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(IoUringTest, RefusalNamesTheKernelsReason) {
  SystemCallFaults faults;
  faults.ring_error = EPERM;
  EXPECT_EQ(Text(Engine::CheckIo(Io::kIoUring)),
            "io_uring: not to be had from this kernel or container (Operation not permitted)");
}

TEST_F(IoUringTest, AWriteAndItsSyncAreOneSubmission) {
  auto files = MakeIoUringFileSystem();
  ASSERT_TRUE(files.ok());
  auto file = (*files)->Open(folder_ / "x", FileSystem::OpenMode::kCreate);
  ASSERT_TRUE(file.ok());
  SystemCallFaults faults;
  std::string bytes = "abc";
  iovec buffer{bytes.data(), bytes.size()};
  EXPECT_EQ(Text((*file)->WriteAndSync({&buffer, 1}, 0)), "ok");
  EXPECT_EQ(faults.submissions.load(), 1);
}

TEST_F(IoUringTest, ARingThatFailsIsReportedAndReplaced) {
  auto files = MakeIoUringFileSystem();
  ASSERT_TRUE(files.ok());
  auto file = (*files)->Open(folder_ / "x", FileSystem::OpenMode::kCreate);
  ASSERT_TRUE(file.ok());
  const auto put = [&] {
    std::string bytes = "abc";
    iovec buffer{bytes.data(), bytes.size()};
    return (*file)->WriteAndSync({&buffer, 1}, 0);
  };
  {
    SystemCallFaults faults;
    faults.submit_error = EBUSY;
    const std::string busy = folder_ / "x" + ": io_uring_enter: Device or resource busy";
    EXPECT_EQ(Text(put()), busy);
    EXPECT_EQ(Text((*file)->Sync()), busy);
  }
  {
    SystemCallFaults faults;
    faults.ring_error = ENOMEM;  // the first one is gone, another one cannot be had
    const std::string memory = folder_ / "x" + ": io_uring_setup: Cannot allocate memory";
    EXPECT_EQ(Text(put()), memory);
    EXPECT_EQ(Text((*file)->Sync()), memory);
  }
  EXPECT_EQ(Text(put()), "ok");
}

TEST_F(IoUringTest, ADatabaseIsWrittenAndReadAgain) {
  Rows rows;
  {
    const auto engine = OpenDatabase(IoUringOptions(), folder_ / "db");
    const TableId table = MakeTable(*engine);
    const auto session = engine->Connect();
    for (int64_t key = 0; key < 3000; ++key) {  // several checkpoints
      rows[key] = "value" + std::to_string(key);
      Transaction transaction = BeginOn(*session);
      transaction.batch().Insert(table, key, rows[key]);
      ASSERT_EQ(Text(transaction.CommitAsync()), "ok");
      if (key % 100 == 0) {
        ASSERT_EQ(Text(transaction.Await()), "ok");
      }
    }
  }
  for (const Io io : {Io::kPwrite, Io::kIoUring}) {
    EngineOptions options = IoUringOptions();
    options.io = io;
    const auto engine = OpenDatabase(options, folder_ / "db");
    EXPECT_EQ(AllRows(*engine, MakeTable(*engine)), rows);
  }
}

TEST_F(IoUringTest, AFailedSyncPoisonsTheEngineAsWithPwrite) {
  const auto engine = OpenDatabase(IoUringOptions(), folder_ / "db");
  const TableId table = MakeTable(*engine);
  const auto session = engine->Connect();
  ASSERT_EQ(Text(InsertRow(*session, table, 1, "one")), "ok");
  {
    SystemCallFaults faults;
    faults.sync_error = EIO;
    const Status status = InsertRow(*session, table, 2, "two");
    EXPECT_EQ(status.code(), StatusCode::kCommitUnknown);
    EXPECT_THAT(Text(status), AllOf(HasSubstr("log-"), EndsWith("fdatasync: Input/output error")));
  }
  EXPECT_EQ(InsertRow(*session, table, 3, "three").code(), StatusCode::kPoisoned);
  EXPECT_EQ(AllRows(*engine, table), (Rows{{1, "one"}}));
}

}  // namespace
}  // namespace burin
