// Opening, inspecting and removing databases, and their tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/engine/test_database.h"

namespace burin {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class DatabaseTest : public testing::Test {
 protected:
  // A stranger's file at that path.
  void Put(const std::string& path, std::string content) {
    auto file = files_.Open(path, FileSystem::OpenMode::kCreate);
    ASSERT_TRUE(file.ok());
    iovec buffer{content.data(), content.size()};
    ASSERT_TRUE((*file)->Write({&buffer, 1}, 0).ok());
  }

  StatusCode OpenCode(const EngineOptions& options, const std::string& path = kDatabase) {
    return Engine::Open(path, options).status().code();
  }

  SimulatedFileSystem files_;
};

TEST_F(DatabaseTest, OptionsOutOfRangeAreRefusedBeforeAnyFileIsMade) {
  const auto expect_refused = [this](auto change) {
    EngineOptions options = SmallOptions(&files_);
    change(options);
    const Status status = Engine::Open(kDatabase, options).TakeStatus();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status.message();
  };
  for (const uint64_t bytes :
       {uint64_t{0}, kSmallestSegment - 4096, kSmallestSegment + 1, uint64_t{1} << 40}) {
    expect_refused([bytes](EngineOptions& options) { options.segment_bytes = bytes; });
  }
  for (const uint64_t slots : {uint64_t{0}, uint64_t{512}, uint64_t{1025}, uint64_t{1} << 40}) {
    expect_refused([slots](EngineOptions& options) { options.table_slots = slots; });
  }
  for (const uint64_t bytes : {(uint64_t{64} << 10) - 1, (uint64_t{4} << 30) + 1}) {
    expect_refused([bytes](EngineOptions& options) { options.table_bytes = bytes; });
  }
  for (const auto timeout : {std::chrono::milliseconds(-1), std::chrono::milliseconds::max()}) {
    expect_refused([timeout](EngineOptions& options) { options.busy_timeout = timeout; });
  }
  expect_refused([](EngineOptions& options) { options.creator = std::string(64, 'x'); });
  EXPECT_FALSE(*files_.Exists(kDatabase));
}

TEST_F(DatabaseTest, WithoutCreateAnAbsentDatabaseIsNotMade) {
  EngineOptions options = SmallOptions(&files_);
  options.create = false;
  EXPECT_EQ(OpenCode(options), StatusCode::kNotFound);
  EXPECT_FALSE(*files_.Exists(kDatabase));
  ASSERT_TRUE(files_.CreateFolder(kDatabase).ok());
  EXPECT_EQ(OpenCode(options), StatusCode::kNotFound);
  EXPECT_THAT(*files_.List(kDatabase), IsEmpty());
  OpenDatabase(SmallOptions(&files_));
  EXPECT_EQ(OpenCode(options), StatusCode::kOk);
}

TEST_F(DatabaseTest, AFolderWithSomethingElseInItIsNeverTaken) {
  ASSERT_TRUE(files_.CreateFolder(kDatabase).ok());
  Put("/db/thesis.txt", "my only copy");
  const Status status = Engine::Open(kDatabase, SmallOptions(&files_)).TakeStatus();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(Text(status), AllOf(HasSubstr("/db"), HasSubstr("thesis.txt")));
  EXPECT_EQ(Engine::Inspect(kDatabase, &files_).status().code(), StatusCode::kInvalidArgument);
  EXPECT_FALSE(Engine::Remove(kDatabase, &files_).ok());
  EXPECT_THAT(*files_.List(kDatabase), ElementsAre("thesis.txt"));
}

TEST_F(DatabaseTest, DataWithoutAManifestIsRefusedAndNeverANewDatabase) {
  {
    const auto engine = OpenDatabase(SmallOptions(&files_));
    EXPECT_EQ(Text(InsertRow(*engine->Connect(), MakeTable(*engine), 1, "one")), "ok");
  }
  ASSERT_TRUE(files_.Remove("/db/MANIFEST").ok());
  const auto names = *files_.List(kDatabase);
  const Status status = Engine::Open(kDatabase, SmallOptions(&files_)).TakeStatus();
  EXPECT_EQ(status.code(), StatusCode::kCorruption);
  EXPECT_EQ(Text(status), "/db/MANIFEST: missing, though there is data (log-000000000001)");
  EXPECT_EQ(*files_.List(kDatabase), names);
}

TEST_F(DatabaseTest, AFileInPlaceOfTheFolderIsNotTouched) {
  Put(kDatabase, "a file");
  EXPECT_NE(OpenCode(SmallOptions(&files_)), StatusCode::kOk);
  EXPECT_NE(Engine::Inspect(kDatabase, &files_).status().code(), StatusCode::kOk);
  EXPECT_FALSE(Engine::Remove(kDatabase, &files_).ok());
  EXPECT_EQ(files_.Disk().Content(kDatabase), "a file");
}

TEST_F(DatabaseTest, AMissingParentFolderIsNamed) {
  const Status status = Engine::Open("/absent/db", SmallOptions(&files_)).TakeStatus();
  EXPECT_EQ(status.code(), StatusCode::kIoError);
  EXPECT_THAT(Text(status), HasSubstr("/absent/db"));
}

TEST_F(DatabaseTest, OneProcessAndOneEngineAtATime) {
  auto engine = OpenDatabase(SmallOptions(&files_));
  const Status status = Engine::Open(kDatabase, SmallOptions(&files_)).TakeStatus();
  EXPECT_EQ(status.code(), StatusCode::kInUse);
  EXPECT_THAT(Text(status), HasSubstr("/db/LOCK"));
  EXPECT_EQ(Engine::Remove(kDatabase, &files_).code(), StatusCode::kInUse);
  engine.reset();
  EXPECT_EQ(OpenCode(SmallOptions(&files_)), StatusCode::kOk);
}

TEST_F(DatabaseTest, InspectingTellsTheCreatorAndChangesNothing) {
  EXPECT_EQ(Engine::Inspect(kDatabase, &files_).status().code(), StatusCode::kNotFound);
  EngineOptions options = SmallOptions(&files_);
  options.creator = std::string(63, 'c');
  { OpenDatabase(options); }
  options.creator = "somebody else, later";
  { OpenDatabase(options); }
  const uint64_t calls = files_.calls();
  bool changed = false;
  files_.SetHook([&](const FileCall& call) {
    changed = changed || (call.Changes() && call.kind != FileCall::Kind::kLock);
    return Fault::kNone;
  });
  const auto info = Engine::Inspect(kDatabase, &files_);
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->creator, std::string(63, 'c'));
  EXPECT_FALSE(info->in_use);
  EXPECT_GT(files_.calls(), calls);
  EXPECT_FALSE(changed);
}

TEST_F(DatabaseTest, InspectingFindsDamage) {
  { OpenDatabase(SmallOptions(&files_)); }
  SimulatedDisk disk = files_.Disk();
  disk.SetContent(ManifestFile(disk), std::string(8192, '\0'));
  SimulatedFileSystem damaged(disk);
  EXPECT_EQ(Engine::Inspect(kDatabase, &damaged).status().code(), StatusCode::kCorruption);
}

TEST_F(DatabaseTest, AManifestThatCannotBeReadIsNotTakenForAStrangersFolder) {
  { OpenDatabase(SmallOptions(&files_)); }
  files_.SetHook([](const FileCall& call) {
    return call.kind == FileCall::Kind::kRead ? Fault::kError : Fault::kNone;
  });
  EXPECT_EQ(Engine::Inspect(kDatabase, &files_).status().code(), StatusCode::kIoError);
  EXPECT_EQ(Engine::Remove(kDatabase, &files_).code(), StatusCode::kIoError);
  files_.SetHook(nullptr);
  OpenDatabase(SmallOptions(&files_));
}

TEST_F(DatabaseTest, RemovingTakesItsOwnFilesAndTheFolder) {
  { OpenDatabase(SmallOptions(&files_)); }
  EXPECT_EQ(Text(Engine::Remove(kDatabase, &files_)), "ok");
  EXPECT_FALSE(*files_.Exists(kDatabase));
  EXPECT_FALSE(Engine::Remove(kDatabase, &files_).ok());
}

TEST_F(DatabaseTest, RemovingLeavesStrangersFiles) {
  { OpenDatabase(SmallOptions(&files_)); }
  Put("/db/notes.txt", "mine");
  EXPECT_EQ(Text(Engine::Remove(kDatabase, &files_)), "ok");
  EXPECT_THAT(*files_.List(kDatabase), ElementsAre("notes.txt"));
}

TEST_F(DatabaseTest, ARemovalThatWasCutShortCanBeDoneAgainOrLeavesNothingOfValue) {
  {
    const auto engine = OpenDatabase(SmallOptions(&files_));
    EXPECT_EQ(Text(InsertRow(*engine->Connect(), MakeTable(*engine), 1, "one")), "ok");
  }
  const SimulatedDisk disk = files_.Disk();
  for (uint64_t failing = 0;; ++failing) {
    SimulatedFileSystem files(disk);
    files.SetHook([failing](const FileCall& call) {
      return call.index >= failing ? Fault::kError : Fault::kNone;
    });
    const bool removed = Engine::Remove(kDatabase, &files).ok();
    files.SetHook(nullptr);
    if (removed) {
      ASSERT_GT(failing, 5u);
      break;
    }
    if (Engine::Remove(kDatabase, &files).ok()) {
      EXPECT_FALSE(*files.Exists(kDatabase));
    } else {
      EXPECT_THAT(*files.List(kDatabase), testing::IsSubsetOf({"LOCK"})) << "before " << failing;
      EXPECT_EQ(OpenDatabase(SmallOptions(&files))->recovery().rows, 0u);
    }
  }
}

TEST_F(DatabaseTest, TablesHaveOneIdForEachNameForEver) {
  std::vector<std::string> names = {"", "a", "A", std::string(63, 'n'), std::string("\0x", 2)};
  for (int i = 0; i < 50; ++i) names.push_back("table " + std::to_string(i));
  std::map<std::string, TableId> ids;
  for (int opening = 0; opening < 3; ++opening) {
    const auto engine = OpenDatabase(SmallOptions(&files_));
    EXPECT_EQ(engine->FindTable("absent").status().code(), StatusCode::kNotFound);
    for (const std::string& name : names) {
      const auto id = engine->CreateTable(name);
      ASSERT_TRUE(id.ok()) << id.status().message();
      EXPECT_EQ(ids.try_emplace(name, *id).first->second, *id) << name;
      EXPECT_EQ(*engine->FindTable(name), *id);
    }
  }
  std::set<TableId> distinct;
  for (const auto& [name, id] : ids) distinct.insert(id);
  EXPECT_EQ(distinct.size(), names.size());
}

TEST_F(DatabaseTest, TooManyTablesAreRefusedAndTheOthersStay) {
  const auto engine = OpenDatabase(SmallOptions(&files_));
  Status status;
  int made = 0;
  for (; status.ok() && made < 2000; ++made) {
    status = engine->CreateTable("table " + std::to_string(made)).TakeStatus();
  }
  EXPECT_EQ(made, 1025);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(engine->FindTable("table 1023").ok());
  EXPECT_EQ(Text(InsertRow(*engine->Connect(), *engine->FindTable("table 1023"), 1, "x")), "ok");
}

TEST_F(DatabaseTest, ATableNameOfMoreThan63BytesIsRefused) {
  const auto engine = OpenDatabase(SmallOptions(&files_));
  const std::string name(64, 'n');
  EXPECT_EQ(engine->CreateTable(name).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(engine->FindTable(name).status().code(), StatusCode::kNotFound);
  MakeTable(*engine);
}

TEST_F(DatabaseTest, ClosingTwiceIsClosingOnce) {
  const auto engine = OpenDatabase(SmallOptions(&files_));
  EXPECT_EQ(Text(engine->Close()), "ok");
  EXPECT_EQ(Text(engine->Close()), "ok");
}

// Rows behind the mark of the log's end would be taken for damage.
TEST_F(DatabaseTest, WhatIsClosedTakesNoRowsAndOpensAsItWas) {
  {
    const auto engine = OpenDatabase(SmallOptions(&files_));
    const TableId table = MakeTable(*engine);
    const auto session = engine->Connect();
    ASSERT_EQ(Text(InsertRow(*session, table, 1, "one")), "ok");
    Transaction begun = BeginOn(*session);
    ASSERT_EQ(Text(begun.Insert(table, 2, "two")), "ok");
    ASSERT_EQ(Text(engine->Close()), "ok");
    const uint64_t calls = files_.calls();
    EXPECT_EQ(begun.Commit().code(), StatusCode::kInvalidArgument);
    for (const TransactionKind kind :
         {TransactionKind::kExclusive, TransactionKind::kSerial, TransactionKind::kConcurrent}) {
      const Status status = InsertRow(*session, table, 3, "three", kind);
      EXPECT_EQ(Text(status), "/db: has been closed");
      EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    }
    EXPECT_EQ(engine->CreateTable("other").status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(engine->MergeAll().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(MakeTable(*engine), table);
    EXPECT_EQ(AllRows(*engine, table), (Rows{{1, "one"}}));
    EXPECT_EQ(files_.calls(), calls);
  }
  const auto engine = OpenDatabase(SmallOptions(&files_));
  EXPECT_TRUE(engine->recovery().clean);
  EXPECT_EQ(AllRows(*engine, MakeTable(*engine)), (Rows{{1, "one"}}));
}

TEST_F(DatabaseTest, ASlashAtTheEndOfThePathIsTheSameFolder) {
  {
    const auto engine = OpenDatabase(SmallOptions(&files_), "/db/");
    EXPECT_EQ(Text(InsertRow(*engine->Connect(), MakeTable(*engine), 1, "one")), "ok");
  }
  const auto engine = OpenDatabase(SmallOptions(&files_), "/db");
  EXPECT_EQ(AllRows(*engine, MakeTable(*engine)), (Rows{{1, "one"}}));
}

}  // namespace
}  // namespace burin
