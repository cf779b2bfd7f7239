// A full disk: writers are told so and can go on when there is room again, and a database on one
// can still be opened: to write when dropping spare segments makes room for that, else to read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/engine/crashed_database.h"
#include "tests/engine/temporary_folder.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

using testing::HasSubstr;

EngineOptions TinyTables(FileSystem* files) {
  EngineOptions options = SmallOptions(files);
  options.table_bytes = 64 << 10;
  return options;
}

std::string Value(int64_t key, size_t bytes = 3000) {
  return std::string(bytes, static_cast<char>('a' + key % 26));
}

// Adds the rows from `first` on, one for each commit, until one fails or `count` are there.
Status WriteRows(Engine& engine, int64_t first, int64_t count, Rows* rows) {
  const TableId table = MakeTable(engine);
  const auto session = engine.Connect();
  for (int64_t key = first; key < first + count; ++key) {
    Status status = InsertRow(*session, table, key, Value(key));
    if (!status.ok()) return status;
    (*rows)[key] = Value(key);
  }
  return {};
}

void ExpectReadOnly(Engine& engine, const Rows& rows) {
  const auto table = engine.FindTable("table");
  ASSERT_TRUE(table.ok());
  EXPECT_TRUE(AllRows(engine, *table) == rows);
  const Status status = InsertRow(*engine.Connect(), *table, -1, "x");
  EXPECT_EQ(status.code(), StatusCode::kNoSpace);
  EXPECT_THAT(Text(status), HasSubstr("opened for reading only: "));
  EXPECT_THAT(Text(status), HasSubstr("No space left on device"));
  EXPECT_EQ(engine.CreateTable("other").status().code(), StatusCode::kNoSpace);
  EXPECT_EQ(engine.MergeAll().code(), StatusCode::kNoSpace);
}

void ExpectWritable(Engine& engine, Rows rows) {
  const TableId table = MakeTable(engine);
  EXPECT_TRUE(AllRows(engine, table) == rows);
  EXPECT_EQ(Text(InsertRow(*engine.Connect(), table, -1, "x")), "ok");
  rows[-1] = "x";
  EXPECT_TRUE(AllRows(engine, table) == rows);
}

size_t Spares(const SimulatedDisk& disk) {
  return SegmentFiles(disk).size() - UsedSegmentFiles(disk).size();
}

// Killed with `count` rows and one segment made ahead; the log holds all of them.
SimulatedDisk KilledWithASpare(int64_t count, Rows* rows) {
  SimulatedFileSystem files;
  const auto engine = OpenDatabase(SmallOptions(&files));
  EXPECT_EQ(Text(WriteRows(*engine, 0, count, rows)), "ok");
  for (int i = 0; i < 10000 && Spares(files.Disk()) == 0; ++i) usleep(1000);
  EXPECT_EQ(Spares(files.Disk()), 1u);
  return files.Disk().AfterKill();
}

TEST(FullDiskTest, ItStopsWritersCleanlyAtEveryCapacityAndTheyGoOnWhenThereIsRoom) {
  for (uint64_t capacity = 1200 << 10; capacity < 6000 << 10; capacity += 171 << 10) {
    SCOPED_TRACE("capacity " + std::to_string(capacity));
    SimulatedFileSystem files;
    files.SetCapacity(capacity);
    const auto engine = OpenDatabase(TinyTables(&files));
    ASSERT_NE(engine, nullptr);
    Rows rows;
    const Status full = WriteRows(*engine, 0, 3000, &rows);
    EXPECT_EQ(full.code(), StatusCode::kNoSpace) << full.message();
    EXPECT_THAT(Text(full), HasSubstr("/db/"));
    const TableId table = MakeTable(*engine);
    EXPECT_TRUE(AllRows(*engine, table) == rows);
    files.SetCapacity(UINT64_MAX);
    EXPECT_EQ(Text(WriteRows(*engine, static_cast<int64_t>(rows.size()), 100, &rows)), "ok");
    EXPECT_TRUE(AllRows(*engine, table) == rows);
    EXPECT_TRUE(CrashedDatabase(files.Disk().AfterKill()).Table() == rows);
  }
}

TEST(FullDiskTest, WhereSparesMakeRoomADatabaseOpensToWrite) {
  Rows rows;
  const SimulatedDisk disk = KilledWithASpare(200, &rows);
  SimulatedFileSystem files(disk);
  files.SetCapacity(disk.UsedBytes());
  const auto engine = OpenDatabase(SmallOptions(&files));
  ASSERT_NE(engine, nullptr);
  ExpectWritable(*engine, rows);
}

TEST(FullDiskTest, TheSameForALogThatIsReplayedThroughManyTables) {
  Rows rows;
  const SimulatedDisk disk = KilledWithASpare(200, &rows);
  SimulatedFileSystem files(disk);
  files.SetCapacity(disk.UsedBytes());
  const auto engine = OpenDatabase(TinyTables(&files));
  ASSERT_NE(engine, nullptr);
  ExpectWritable(*engine, rows);
}

TEST(FullDiskTest, WithoutSparesItOpensToReadAndToWriteOnceThereIsRoom) {
  Rows rows;
  SimulatedFileSystem written;
  SimulatedDisk disk;
  {
    const auto engine = OpenDatabase(SmallOptions(&written));
    ASSERT_EQ(Text(WriteRows(*engine, 0, 100, &rows)), "ok");
    disk = written.Disk().AfterKill();
  }
  ASSERT_EQ(Spares(disk), 0u);
  for (const uint64_t table_bytes : {64 << 10, 64 << 20}) {
    SimulatedFileSystem files(disk);
    EngineOptions options = SmallOptions(&files);
    options.table_bytes = table_bytes;
    files.SetCapacity(disk.UsedBytes());
    for (int opening = 0; opening < 2; ++opening) {
      const auto engine = OpenDatabase(options);
      ASSERT_NE(engine, nullptr);
      ExpectReadOnly(*engine, rows);
      EXPECT_EQ(Text(engine->Close()), "ok");
    }
    files.SetCapacity(UINT64_MAX);
    const auto engine = OpenDatabase(options);
    ASSERT_NE(engine, nullptr);
    ExpectWritable(*engine, rows);
  }
}

// Whatever is free: the database opens, and has all rows.
TEST(FullDiskTest, ItOpensWithAnyRoomThatIsLeft) {
  Rows rows;
  const SimulatedDisk disk = KilledWithASpare(200, &rows);
  int read_only = 0;
  for (uint64_t room = 0; room < 1300 << 10; room += 93 << 10) {
    SCOPED_TRACE("room " + std::to_string(room));
    SimulatedDisk without_spare = disk;
    without_spare.Remove(SegmentFiles(disk).back());
    SimulatedFileSystem files(without_spare);
    files.SetCapacity(without_spare.UsedBytes() + room);
    const auto engine = OpenDatabase(TinyTables(&files));
    ASSERT_NE(engine, nullptr);
    const TableId table = MakeTable(*engine);
    EXPECT_TRUE(AllRows(*engine, table) == rows);
    const Status status = InsertRow(*engine->Connect(), table, -1, "x");
    if (!status.ok()) ExpectReadOnly(*engine, rows);
    read_only += status.ok() ? 0 : 1;
  }
  EXPECT_GE(read_only, 1);
}

// A file system of 6 MiB in memory, where such a thing may be mounted.
class RealFullDiskTest : public testing::Test {
 protected:
  void SetUp() override {
    if (mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, "size=6m") != 0) {
      GTEST_SKIP() << "no file system can be mounted here";
    }
    mounted_ = true;
  }
  void TearDown() override {
    if (mounted_) umount2(folder_.path().c_str(), MNT_DETACH);
  }

  // In a process of its own that ends without closing; answers how many rows it had acknowledged.
  int64_t WriteUntilFull(const std::string& database) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t writer = fork();
    if (writer == 0) {
      Rows rows;
      const auto engine = OpenDatabase(TinyTables(nullptr), database);
      const Status full = WriteRows(*engine, 0, 5000, &rows);
      const auto count = static_cast<int64_t>(rows.size());
      const bool told = write(ends[1], &count, sizeof count) == sizeof count;
      _exit(told && full.code() == StatusCode::kNoSpace ? 0 : 1);
    }
    int64_t count = -1;
    EXPECT_EQ(read(ends[0], &count, sizeof count), static_cast<ssize_t>(sizeof count));
    int status = 0;
    EXPECT_EQ(waitpid(writer, &status, 0), writer);
    EXPECT_EQ(status, 0) << "the writer was told something else than that the disk is full";
    close(ends[0]);
    close(ends[1]);
    return count;
  }

  void FillUp() const {
    std::ofstream file(folder_ / "ballast", std::ios::binary);
    while (file.write(std::string(4096, 'b').data(), 4096).flush()) {
    }
  }

  const TemporaryFolder folder_;
  bool mounted_ = false;
};

TEST_F(RealFullDiskTest, ADatabaseOnItIsReadAndGoesOnOnceThereIsRoom) {
  const std::string database = folder_ / "db";
  const int64_t count = WriteUntilFull(database);
  ASSERT_GT(count, 100);
  Rows rows;
  for (int64_t key = 0; key < count; ++key) rows[key] = Value(key);
  FillUp();
  {
    const auto engine = OpenDatabase(TinyTables(nullptr), database);
    ASSERT_NE(engine, nullptr);
    EXPECT_TRUE(AllRows(*engine, MakeTable(*engine)) == rows);
  }
  FillUp();  // what its opening has freed
  {
    const auto engine = OpenDatabase(TinyTables(nullptr), database);
    ASSERT_NE(engine, nullptr);
    EXPECT_TRUE(AllRows(*engine, MakeTable(*engine)) == rows);
  }
  ASSERT_EQ(unlink((folder_ / "ballast").c_str()), 0);
  const auto engine = OpenDatabase(TinyTables(nullptr), database);
  ASSERT_NE(engine, nullptr);
  ExpectWritable(*engine, rows);
}

}  // namespace
}  // namespace burin
