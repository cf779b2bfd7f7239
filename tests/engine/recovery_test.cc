// Reopening: after a clean close, after a kill, with torn tails, with damage, and again and again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/crashed_database.h"
#include "tests/engine/oracle.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

std::string Value(int64_t key) { return "value of " + std::to_string(key); }

class RecoveryTest : public testing::Test {
 protected:
  // Keys [first, first + count) of "table", a transaction each; all acknowledged.
  static void Write(Engine& engine, int64_t first, int64_t count, const std::string& value = "") {
    const TableId table = MakeTable(engine);
    const auto session = engine.Connect();
    for (int64_t key = first; key < first + count; ++key) {
      ASSERT_EQ(Text(InsertRow(*session, table, key, value.empty() ? Value(key) : value)), "ok");
    }
  }

  static Rows Expected(int64_t count) {
    Rows rows;
    for (int64_t key = 0; key < count; ++key) rows[key] = Value(key);
    return rows;
  }

  // A database with the keys [0, count), as a kill, or a clean close, left it.
  static SimulatedDisk Killed(int64_t count, const std::string& value = "") {
    SimulatedFileSystem files;
    const auto engine = OpenDatabase(SmallOptions(&files));
    Write(*engine, 0, count, value);
    return files.Disk().AfterKill();
  }
  static SimulatedDisk Closed(int64_t count, const std::string& value = "") {
    SimulatedFileSystem files;
    const auto engine = OpenDatabase(SmallOptions(&files));
    Write(*engine, 0, count, value);
    EXPECT_EQ(Text(engine->Close()), "ok");
    return files.Disk().AfterKill();
  }
};

TEST_F(RecoveryTest, ANewDatabaseIsCleanAndEmpty) {
  SimulatedFileSystem files;
  const auto engine = OpenDatabase(SmallOptions(&files));
  EXPECT_TRUE(engine->recovery().clean);
  EXPECT_EQ(engine->recovery().transactions, 0u);
  EXPECT_EQ(engine->recovery().rows, 0u);
  EXPECT_EQ(engine->recovery().bytes_dropped, 0u);
}

TEST_F(RecoveryTest, EverythingIsThereAfterACleanClose) {
  const CrashedDatabase reopened(Closed(20));
  EXPECT_TRUE(reopened.engine().recovery().clean);
  EXPECT_EQ(reopened.engine().recovery().rows, 20u);
  EXPECT_EQ(reopened.engine().recovery().transactions, 20u);
  EXPECT_EQ(reopened.engine().recovery().bytes_dropped, 0u);
  EXPECT_EQ(reopened.Table(), Expected(20));
}

TEST_F(RecoveryTest, EverythingIsThereAfterAKill) {
  const CrashedDatabase reopened(Killed(20));
  EXPECT_FALSE(reopened.engine().recovery().clean);
  EXPECT_EQ(reopened.engine().recovery().rows, 20u);
  EXPECT_EQ(reopened.engine().recovery().bytes_dropped, 0u);
  EXPECT_EQ(reopened.Table(), Expected(20));
}

TEST_F(RecoveryTest, TheDestructorClosesToo) {
  SimulatedFileSystem files;
  Write(*OpenDatabase(SmallOptions(&files)), 0, 3);
  EXPECT_TRUE(CrashedDatabase(files.Disk()).engine().recovery().clean);
}

TEST_F(RecoveryTest, UpdatesErasuresAndTablesAreReplayedInOrder) {
  SimulatedFileSystem files;
  const auto engine = OpenDatabase(SmallOptions(&files));
  const TableId first = MakeTable(*engine, "first");
  const TableId second = MakeTable(*engine, "second");
  const auto session = engine->Connect();
  Transaction one = BeginOn(*session);
  for (const int64_t key : {INT64_MIN, int64_t{-1}, int64_t{0}, int64_t{1}, INT64_MAX}) {
    one.batch().Insert(first, key, "old");
    one.batch().Insert(second, key, "");
  }
  ASSERT_EQ(Text(one.Commit()), "ok");
  Transaction two = BeginOn(*session);
  two.batch().Update(first, INT64_MIN, "new");
  two.batch().Erase(first, 0);
  two.batch().Erase(second, INT64_MAX);
  two.batch().Erase(second, -1);
  two.batch().Insert(second, -1, "again");
  ASSERT_EQ(Text(two.Commit()), "ok");
  const CrashedDatabase reopened(files.Disk().AfterKill());
  EXPECT_EQ(reopened.Table("first"),
            (Rows{{INT64_MIN, "new"}, {-1, "old"}, {1, "old"}, {INT64_MAX, "old"}}));
  EXPECT_EQ(reopened.Table("second"), (Rows{{INT64_MIN, ""}, {-1, "again"}, {0, ""}, {1, ""}}));
  EXPECT_EQ(*reopened.engine().FindTable("first"), first);
  EXPECT_EQ(*reopened.engine().FindTable("second"), second);
}

TEST_F(RecoveryTest, RowsOfSegmentsAndTablesThatFilledUpAreThere) {
  const std::string value(4000, 'x');
  const CrashedDatabase reopened(Killed(2000, value));
  EXPECT_LT(reopened.engine().recovery().rows, 2000u);  // the rest had become runs
  const Rows rows = reopened.Table();
  EXPECT_EQ(rows.size(), 2000u);
  for (const auto& [key, read] : rows) ASSERT_EQ(read, value) << key;
}

TEST_F(RecoveryTest, OtherOptionsThanThoseOfTheCreatorReadTheSame) {
  SimulatedFileSystem files(Killed(1500));
  EngineOptions options = SmallOptions(&files);
  options.hasher = Hasher::kSip13;
  options.segment_bytes = 2 << 20;
  options.table_slots = 1 << 16;
  for (int opening = 0; opening < 3; ++opening) {
    const auto engine = OpenDatabase(options);
    EXPECT_EQ(AllRows(*engine, MakeTable(*engine)), Expected(1500 + opening));
    Write(*engine, 1500 + opening, 1);
    options.hasher = Hasher::kFx;
    options.segment_bytes = kSmallestSegment;
  }
}

TEST_F(RecoveryTest, OpeningAndClosingWithoutWritingChangesNothingHoweverOften) {
  SimulatedDisk disk = Killed(5);
  for (int opening = 0; opening < 12; ++opening) {
    CrashedDatabase reopened(disk);
    EXPECT_EQ(reopened.Table(), Expected(5));
    if (opening % 3 == 2) {
      EXPECT_EQ(Text(reopened.engine().Close()), "ok");
    }
    disk = reopened.Disk().AfterKill();
    EXPECT_LE(SegmentFiles(disk).size(), 3u);
  }
}

TEST_F(RecoveryTest, WritingGoesOnAfterEveryKindOfReopening) {
  SimulatedDisk disk = Killed(1);
  for (int64_t key = 1; key < 12; ++key) {
    CrashedDatabase reopened(disk);
    EXPECT_EQ(reopened.Table(), Expected(key));
    Write(reopened.engine(), key, 1);
    if (key % 3 == 0) {
      EXPECT_EQ(Text(reopened.engine().Close()), "ok");
    }
    disk = reopened.Disk().AfterKill();
  }
  EXPECT_EQ(CrashedDatabase(disk).Table(), Expected(12));
}

// Torn tails.

// Cuts the file there, or keeps its size and puts zeros behind.
SimulatedDisk TornAt(const SimulatedDisk& disk, const std::string& path, uint64_t bytes, bool cut) {
  SimulatedDisk torn = disk;
  std::string content = torn.Content(path).substr(0, bytes);
  if (!cut) content.resize(disk.Content(path).size());
  torn.SetContent(path, content);
  return torn;
}

TEST_F(RecoveryTest, ATornTailEndsTheLogAtAnyByteAndIsReportedOnce) {
  const GroupInDoubt group(3);  // of three transactions, one row each, behind the rows 0 to 4
  for (const bool cut : {true, false}) {
    for (uint64_t at = group.begin(); at <= group.end() + 8; ++at) {
      SCOPED_TRACE(std::to_string(at) + (cut ? " cut" : " zeroed"));
      const SimulatedDisk disk = TornAt(group.disk(), group.path(), at, cut);
      const CrashedDatabase reopened(disk);
      ASSERT_EQ(group.oracle().Check(reopened.engine()), "");
      const uint64_t whole = reopened.Table().size() - 5;
      const uint64_t left = WrittenEnd(disk.Content(group.path()));
      const uint64_t dropped = reopened.engine().recovery().bytes_dropped;
      if (at >= group.end() + 7) {  // with the record's padding
        EXPECT_EQ(whole, 3u);
      }
      if (whole == 3) {
        EXPECT_EQ(dropped, 0u);
      }
      if (whole == 0) {
        EXPECT_EQ(dropped, left > group.begin() ? left - group.begin() : 0);
      }
      const CrashedDatabase again(reopened.Disk().AfterKill());
      ASSERT_EQ(again.Table(), reopened.Table());
      ASSERT_EQ(again.engine().recovery().bytes_dropped, 0u);
    }
  }
}

TEST_F(RecoveryTest, WhatIsWrittenBehindADroppedTailSurvivesTheNextCrashes) {
  const GroupInDoubt group(1);
  SimulatedDisk disk = TornAt(group.disk(), group.path(), (group.begin() + group.end()) / 2, true);
  Rows expected = Expected(5);
  for (int64_t round = 0; round < 4; ++round) {
    CrashedDatabase reopened(disk);
    EXPECT_EQ(reopened.Table(), expected);
    EXPECT_GT(reopened.engine().recovery().bytes_dropped, 0u);
    const int64_t key = 100 + 10 * round;
    Write(reopened.engine(), key, 2);  // acknowledged
    expected[key] = Value(key);
    expected[key + 1] = Value(key + 1);
    const SimulatedDisk before = reopened.Disk().AfterKill();
    Write(reopened.engine(), key + 2, 1);
    disk = reopened.Disk().AfterKill();
    // The last group is torn in its middle, as if it had not been acknowledged.
    const std::string path = UsedSegmentFiles(disk).back();
    const uint64_t begin = WrittenEnd(before.Content(path));
    const uint64_t end = WrittenEnd(disk.Content(path));
    ASSERT_LT(begin, end);
    disk = TornAt(disk, path, end - 10, round % 2 == 0);
  }
  EXPECT_EQ(CrashedDatabase(disk).Table(), expected);
}

TEST_F(RecoveryTest, ANewestSegmentWithoutHeaderIsNoHindranceAfterAKill) {
  SimulatedFileSystem files;
  const auto engine = OpenDatabase(SmallOptions(&files));
  Write(*engine, 0, 1);
  SimulatedDisk prepared;  // with the next segment, before anything is in it
  files.SetHook([&](const FileCall& call) {
    if (call.kind == FileCall::Kind::kWrite && call.offset == 0 &&
        UsedSegmentFiles(files.Disk()).size() == 1) {
      prepared = files.Disk().AfterKill();
    }
    return Fault::kNone;
  });
  const auto session = engine->Connect();
  for (int64_t key = 1; SegmentFiles(prepared).size() < 2; ++key) {
    ASSERT_EQ(Text(InsertRow(*session, 0, key, std::string(100000, 'x'))), "ok");
  }
  const std::string newest = SegmentFiles(prepared).back();
  const Rows expected = CrashedDatabase(prepared).Table();
  for (const uint64_t bytes : {0, 100, 4095, 4096, 1 << 20}) {
    SCOPED_TRACE(bytes);
    SimulatedDisk disk = prepared;
    disk.SetContent(newest, std::string(bytes, '\0'));
    EXPECT_EQ(CrashedDatabase(disk).Table(), expected);
    disk.SetContent(newest, std::string(bytes, 'r'));
    EXPECT_EQ(CrashedDatabase(disk).Table(), expected);
    EXPECT_EQ(CrashedDatabase(disk).engine().recovery().bytes_dropped, bytes);
  }
}

}  // namespace
}  // namespace burin
