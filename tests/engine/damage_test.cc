// Damage: what was acknowledged and is damaged is refused, with file, offset and reason; damage is
// never taken for a torn tail where anything proves the difference, and never for a new database.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/crashed_database.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

constexpr uint64_t kBlock = 4096;

class DamageTest : public testing::Test {
 protected:
  // Keys [first, first + count), a transaction each.
  static void Write(Engine& engine, int64_t first, int64_t count, size_t value_bytes) {
    const TableId table = MakeTable(engine);
    const auto session = engine.Connect();
    for (int64_t key = first; key < first + count; ++key) {
      const std::string value(value_bytes, static_cast<char>('a' + key % 26));
      ASSERT_EQ(Text(InsertRow(*session, table, key, value)), "ok");
    }
  }

  static SimulatedDisk Database(bool closed, int64_t count, size_t value_bytes) {
    SimulatedFileSystem files;
    const auto engine = OpenDatabase(SmallOptions(&files));
    Write(*engine, 0, count, value_bytes);
    if (closed) {
      EXPECT_EQ(Text(engine->Close()), "ok");
    }
    return files.Disk().AfterKill();
  }

  static SimulatedDisk WithBitFlipped(const SimulatedDisk& disk, const std::string& path,
                                      uint64_t offset) {
    SimulatedDisk damaged = disk;
    std::string content = damaged.Content(path);
    content.at(offset) = static_cast<char>(content.at(offset) ^ (1 << (offset % 8)));
    damaged.SetContent(path, content);
    return damaged;
  }

  static SimulatedDisk WithContent(const SimulatedDisk& disk, const std::string& path,
                                   std::string_view content) {
    SimulatedDisk damaged = disk;
    damaged.SetContent(path, content);
    return damaged;
  }

  static SimulatedDisk Without(const SimulatedDisk& disk, const std::string& path) {
    SimulatedDisk damaged = disk;
    damaged.Remove(path);
    return damaged;
  }

  // Opened, all of `expected` is there; else refused, and `path` is named.
  static void ExpectAllOrRefused(const SimulatedDisk& disk, const std::string& path,
                                 const Rows& expected, bool* refused) {
    SimulatedFileSystem files(disk);
    const auto engine = Engine::Open(kDatabase, SmallOptions(&files));
    *refused = !engine.ok();
    if (*refused) {
      EXPECT_EQ(engine.status().code(), StatusCode::kCorruption) << engine.status().message();
      EXPECT_THAT(Text(engine.status()), AllOf(HasSubstr(path), ContainsRegex(" at [0-9]+: ")));
      return;
    }
    const auto table = (*engine)->FindTable("table");
    ASSERT_TRUE(table.ok()) << "the table is gone";
    EXPECT_TRUE(AllRows(**engine, *table) == expected) << "rows are gone or differ";
  }

  static void ExpectRefused(const SimulatedDisk& disk, const std::string& path) {
    const Status status = TryToOpen(disk);
    EXPECT_EQ(status.code(), StatusCode::kCorruption) << status.message();
    EXPECT_THAT(Text(status), HasSubstr(path));
  }
};

TEST_F(DamageTest, AnyBitFlippedBeforeTheLastGroupIsNoticedAfterAKill) {
  const SimulatedDisk disk = Database(false, 3, 30);
  const std::string path = UsedSegmentFiles(disk).front();
  const std::string content = disk.Content(path);
  const Rows expected = CrashedDatabase(disk).Table();
  const uint64_t last_group = (WrittenEnd(content) - 1) / kBlock * kBlock;
  int refusals = 0;
  for (uint64_t at = 0; at < last_group; ++at) {
    if (at % kBlock > 160) continue;  // padding
    SCOPED_TRACE("offset " + std::to_string(at));
    bool refused = false;
    ExpectAllOrRefused(WithBitFlipped(disk, path, at), path, expected, &refused);
    refusals += refused ? 1 : 0;
    if (HasFailure()) break;
  }
  EXPECT_GT(refusals, 400);
}

TEST_F(DamageTest, AnyBitFlippedInALogIsNoticedAfterACleanClose) {
  const SimulatedDisk disk = Database(true, 2, 30);
  const std::string path = UsedSegmentFiles(disk).front();
  const uint64_t end = WrittenEnd(disk.Content(path));
  const Rows expected = CrashedDatabase(disk).Table();
  int refusals = 0;
  for (uint64_t at = 0; at < end; ++at) {
    if (at % kBlock > 160) continue;
    SCOPED_TRACE("offset " + std::to_string(at));
    bool refused = false;
    ExpectAllOrRefused(WithBitFlipped(disk, path, at), path, expected, &refused);
    refusals += refused ? 1 : 0;
    if (HasFailure()) break;
  }
  EXPECT_GT(refusals, 400);
}

TEST_F(DamageTest, TheRefusalNamesOffsetAndReason) {
  const SimulatedDisk disk = Database(false, 3, 30);
  const std::string path = UsedSegmentFiles(disk).front();
  const Status status = TryToOpen(WithBitFlipped(disk, path, 2 * kBlock + 100));
  EXPECT_THAT(Text(status), AllOf(HasSubstr(path + " at " + std::to_string(2 * kBlock) + ": "),
                                  HasSubstr("checksum"), HasSubstr("durable")));
}

TEST_F(DamageTest, DamageToTheLastGroupAloneIsATornTailAfterAKill) {
  const SimulatedDisk disk = Database(false, 3, 30);
  const std::string path = UsedSegmentFiles(disk).front();
  const uint64_t end = WrittenEnd(disk.Content(path));
  const CrashedDatabase reopened(WithBitFlipped(disk, path, end - 1));
  EXPECT_EQ(reopened.Table().size(), 2u);
  EXPECT_GT(reopened.engine().recovery().bytes_dropped, 0u);
}

TEST_F(DamageTest, AnyBitFlippedInAnEarlierSegmentIsNoticed) {
  const SimulatedDisk disk = Database(false, 5, 600000);  // one group fills a segment
  const std::vector<std::string> paths = UsedSegmentFiles(disk);
  ASSERT_EQ(paths.size(), 5u);
  const Rows expected = CrashedDatabase(disk).Table();
  for (size_t i = 0; i + 1 < paths.size(); ++i) {
    for (const uint64_t at : {8, 30, 60, 80, 4096 + 8, 4096 + 20, 4096 + 70, 4096 + 500000}) {
      SCOPED_TRACE(paths[i] + " at " + std::to_string(at));
      bool refused = false;
      ExpectAllOrRefused(WithBitFlipped(disk, paths[i], at), paths[i], expected, &refused);
      EXPECT_TRUE(refused);
    }
  }
}

TEST_F(DamageTest, ACutOrZeroedEarlierSegmentIsRefused) {
  const SimulatedDisk disk = Database(false, 4, 600000);
  const std::vector<std::string> paths = UsedSegmentFiles(disk);
  ASSERT_EQ(paths.size(), 4u);
  for (size_t i = 0; i + 1 < paths.size(); ++i) {
    const std::string content = disk.Content(paths[i]);
    for (const uint64_t bytes : {0, 100, 4095, 4096, 4200}) {
      SCOPED_TRACE(paths[i] + " cut to " + std::to_string(bytes));
      ExpectRefused(WithContent(disk, paths[i], content.substr(0, bytes)), paths[i]);
    }
    SCOPED_TRACE(paths[i] + " zeroed");
    ExpectRefused(WithContent(disk, paths[i], std::string(content.size(), '\0')), paths[i]);
    std::string headless = content;
    headless.replace(0, kBlock, kBlock, '\0');
    ExpectRefused(WithContent(disk, paths[i], headless), paths[i]);
  }
}

TEST_F(DamageTest, AMissingEarlierSegmentIsRefused) {
  const SimulatedDisk disk = Database(false, 4, 600000);
  const std::vector<std::string> paths = UsedSegmentFiles(disk);
  ASSERT_EQ(paths.size(), 4u);
  for (size_t i = 0; i + 1 < paths.size(); ++i) {
    SCOPED_TRACE(paths[i]);
    ExpectRefused(Without(disk, paths[i]), paths[i]);
  }
}

TEST_F(DamageTest, ARefusalChangesNoFile) {
  const SimulatedDisk disk = Database(false, 3, 600000);
  const std::string path = UsedSegmentFiles(disk).front();
  const SimulatedDisk damaged = WithBitFlipped(disk, path, kBlock + 1);
  SimulatedFileSystem files(damaged);
  EXPECT_FALSE(Engine::Open(kDatabase, SmallOptions(&files)).ok());
  const SimulatedDisk after = files.Disk();
  EXPECT_EQ(after.List(kDatabase), damaged.List(kDatabase));
  for (const std::string& segment : SegmentFiles(damaged)) {
    EXPECT_TRUE(after.Content(segment) == damaged.Content(segment)) << segment;
  }
}

TEST_F(DamageTest, ACutNewestSegmentIsRefusedAfterACleanClose) {
  for (const size_t value_bytes : {30, 600000}) {  // one segment, and several
    const SimulatedDisk disk = Database(true, 3, value_bytes);
    const std::string path = UsedSegmentFiles(disk).back();
    const std::string content = disk.Content(path);
    for (const uint64_t bytes : {0, 100, 4095, 4096, 4300}) {
      SCOPED_TRACE(path + " cut to " + std::to_string(bytes));
      ExpectRefused(WithContent(disk, path, content.substr(0, bytes)), path);
    }
    std::string headless = content;
    headless.replace(0, kBlock, kBlock, '\0');
    ExpectRefused(WithContent(disk, path, headless), path);
    ExpectRefused(Without(disk, path), path);
  }
}

// The manifest.

class ManifestDamageTest : public DamageTest, public testing::WithParamInterface<bool> {};

TEST_P(ManifestDamageTest, OneDamagedSlotCostsNothing) {
  const SimulatedDisk disk = Database(GetParam(), 3, 30);
  const std::string path = ManifestFile(disk);
  const std::string content = disk.Content(path);
  constexpr uint64_t kSlot = 128 << 10;
  ASSERT_EQ(content.size(), kSlot + kBlock);
  const Rows expected = CrashedDatabase(disk).Table();
  for (const uint64_t slot : {uint64_t{0}, kSlot}) {
    std::string damaged = content;
    damaged.replace(slot, kBlock, kBlock, '\0');
    EXPECT_EQ(CrashedDatabase(WithContent(disk, path, damaged)).Table(), expected);
    damaged.replace(slot, kBlock, kBlock, '\xff');
    const CrashedDatabase reopened(WithContent(disk, path, damaged));
    EXPECT_EQ(reopened.Table(), expected);
    EXPECT_EQ(reopened.engine().recovery().clean, GetParam());
  }
}

TEST_P(ManifestDamageTest, BothSlotsGoneIsRefusedAndNeverANewDatabase) {
  const SimulatedDisk disk = Database(GetParam(), 3, 30);
  const std::string path = ManifestFile(disk);
  for (const uint64_t bytes : {0, 100, 4096, 8192}) {
    SCOPED_TRACE(bytes);
    ExpectRefused(WithContent(disk, path, std::string(bytes, '\0')), path);
  }
  ExpectRefused(Without(disk, path), path);
}

TEST_P(ManifestDamageTest, AnyFlippedBitIsSurvived) {
  const SimulatedDisk disk = Database(GetParam(), 3, 30);
  const std::string path = ManifestFile(disk);
  const Rows expected = CrashedDatabase(disk).Table();
  for (uint64_t at = 0; at < 2 * kBlock; ++at) {
    if (at % kBlock > 200) continue;
    SCOPED_TRACE("offset " + std::to_string(at));
    EXPECT_EQ(CrashedDatabase(WithBitFlipped(disk, path, at)).Table(), expected);
    if (HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(AfterKillAndClose, ManifestDamageTest, testing::Bool());

}  // namespace
}  // namespace burin
