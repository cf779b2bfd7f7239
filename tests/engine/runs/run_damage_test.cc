// Damaged runs: every answer is right, or kCorruption with file, offset and reason; and a read that
// fails once is no more than that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/runs/merge.h"
#include "tests/engine/runs/run_fixture.h"

namespace burin {
namespace {

using testing::HasSubstr;

// Few bytes with everything in them: filters, several tables, versions, erasures, a long value.
std::vector<RunRow> SmallRun() {
  std::vector<RunRow> rows;
  for (int64_t key = 0; key < 40; ++key) {
    rows.push_back({1, key * 3, 900, key % 9 == 8, ""});
    if (!rows.back().erased) rows.back().value = "data_" + std::to_string(key);
    if (key % 5 == 0) rows.push_back({1, key * 3, 0, false, "an older one"});
  }
  for (int64_t key = -10; key < 10; ++key)
    rows.push_back({2, key, 500 + Lsn(key + 10), false, "x"});
  rows.push_back({3, 7, 100, false, std::string(300, 'l')});
  return InRunOrder(rows);
}

class RunDamageTest : public RunTest {
 protected:
  RunDamageTest() : rows_(SmallRun()) {
    for (const RunRow& row : rows_) model_.Add(row);
    EXPECT_TRUE(WriteRun(*files_, kFolder, 1, rows_).ok());
    disk_ = files_->Disk();
    content_ = disk_.Content(Path());
  }

  static std::string Path() { return RunPath(kFolder, 1); }

  void SetContent(const std::string& content) {
    SimulatedDisk disk = disk_;
    disk.SetContent(Path(), content);
    Reset(std::move(disk));
  }

  // Whether the status is one that damage may have; notes that there was one.
  void Judge(const Status& status) {
    ASSERT_EQ(status.code(), StatusCode::kCorruption) << Text(status);
    ASSERT_THAT(Text(status), HasSubstr(Path() + " at "));
    noticed_ = true;
  }

  // Uses the run in every way there is.
  void ExpectRightOrNoticed() {
    noticed_ = false;
    BlockCache cache(1 << 20);
    const auto run = Open(1, &cache);
    if (!run.ok()) return Judge(run.status());
    for (const RunRow& row : rows_) {
      ExpectFoundOrNoticed(**run, row.table, row.key, row.lsn + 1);
      ExpectFoundOrNoticed(**run, row.table, row.key + 1, kNow);
      const auto may = HasKeysIn(**run, row.table, row.key + 1, row.key + 2);
      if (!may.ok()) Judge(may.status());
      if (may.ok()) {
        ASSERT_EQ(*may, model_.HasKeysIn(row.table, row.key + 1, row.key + 2));
      }
    }
    const auto all = ReadAll(*run);
    if (!all.ok()) Judge(all.status());
    if (all.ok()) {
      ASSERT_EQ(*all, rows_);
    }
    ExpectMergedOrNoticed(*run);
  }

  void ExpectFoundOrNoticed(const burin::Run& run, TableId table, int64_t key, Lsn snapshot) {
    const auto found = FindVersion(run, table, key, snapshot);
    if (!found.ok()) return Judge(found.status());
    ASSERT_EQ(*found, model_.Find(table, key, snapshot));
  }

  void ExpectMergedOrNoticed(const RunRef& run) {
    const Retention all{.snapshots = {1, 600, 950}, .oldest_level = false, .forget_lsns = false};
    auto writer = RunWriter::Create(*files_, kFolder, 2, kDatabase);
    const auto merged = MergeRuns({&run, 1}, all, writer->get());
    if (!merged.ok()) return Judge(merged.status());
    ASSERT_TRUE((*writer)->Finish().ok());
    ASSERT_EQ(*ReadAll(*Open(2)), rows_);
  }

  std::vector<RunRow> rows_;
  VersionModel model_;
  SimulatedDisk disk_;
  std::string content_;
  bool noticed_ = false;
};

TEST_F(RunDamageTest, AWholeRunIsRight) {
  ExpectRightOrNoticed();
  EXPECT_FALSE(noticed_);
}

TEST_F(RunDamageTest, EachFlippedByteIsNoticed) {
  ASSERT_LT(content_.size(), 6000U);
  for (const int flip : {0xff, 0x01, 0x80}) {
    for (size_t at = 0; at < content_.size(); ++at) {
      std::string damaged = content_;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      SetContent(damaged);
      ExpectRightOrNoticed();
      ASSERT_TRUE(noticed_) << "byte " << at;
      if (HasFailure()) FAIL() << "with byte " << at;
    }
  }
}

TEST_F(RunDamageTest, ARunCutAtAnyLengthIsNotOpened) {
  for (size_t size = 0; size < content_.size(); ++size) {
    SetContent(content_.substr(0, size));
    const auto run = Open(1);
    ASSERT_FALSE(run.ok()) << size;
    Judge(run.status());
  }
  SetContent(content_ + '\0');
  Judge(Open(1).status());
}

TEST_F(RunDamageTest, BytesOfAnotherFileInItsPlaceAreNoticed) {
  for (size_t at = 0; at + 512 <= content_.size(); at += 512) {
    std::string damaged = content_;
    damaged.replace(at, 512, content_, (at + 1024) % (content_.size() - 512), 512);
    SetContent(damaged);
    ExpectRightOrNoticed();
    EXPECT_TRUE(noticed_);
  }
}

TEST_F(RunDamageTest, AFileThatIsNotThisRunIsNotOpened) {
  const auto other_database = burin::Run::Open(*files_, kFolder, 1, DatabaseId{{1, 2}}, nullptr);
  EXPECT_THAT(Text(other_database.status()), HasSubstr("another database"));
  Judge(other_database.status());

  ASSERT_TRUE(files_->Rename(Path(), RunPath(kFolder, 3)).ok());
  const auto other_number = Open(3);
  EXPECT_EQ(other_number.status().code(), StatusCode::kCorruption);
  EXPECT_THAT(Text(other_number.status()), HasSubstr("another run"));

  const auto missing = Open(1);
  EXPECT_THAT(Text(missing.status()), HasSubstr("missing"));
  Judge(missing.status());
}

TEST_F(RunDamageTest, ABlockThatIsCutAfterOpeningIsNoticed) {
  const auto run = Open(1);
  auto file = files_->Open(Path(), FileSystem::OpenMode::kCreate);  // truncates it
  const auto found = (*run)->Find(1, 0, kNow);
  Judge(found.status());
  EXPECT_THAT(Text(found.status()), HasSubstr("ends too early"));
}

TEST_F(RunDamageTest, EachFailingReadIsReportedAndOver) {
  const auto use = [&](BlockCache* cache) -> Status {
    const auto run = Open(1, cache);
    if (!run.ok()) return run.status();
    for (const RunRow& row : rows_) {
      const auto found = (*run)->Find(row.table, row.key, kNow);
      if (!found.ok()) return found.status();
      const auto empty = (*run)->EmptyRangeAround(row.table, row.key + 1, row.key + 1);
      if (!empty.ok()) return empty.status();
    }
    const auto all = ReadAll(*run);
    return all.ok() ? Status() : all.status();
  };
  Reset(disk_);
  BlockCache all_calls(1 << 20);
  ASSERT_TRUE(use(&all_calls).ok());
  const uint64_t calls = files_->calls();
  ASSERT_GT(calls, 10U);
  for (uint64_t failing = 0; failing < calls; ++failing) {
    Reset(disk_);
    files_->SetHook(
        [&](const FileCall& call) { return call.index == failing ? Fault::kError : Fault::kNone; });
    BlockCache cache(1 << 20);
    EXPECT_EQ(use(&cache).code(), StatusCode::kIoError) << "call " << failing;
    EXPECT_TRUE(use(&cache).ok());
    ExpectRightOrNoticed();
    EXPECT_FALSE(noticed_);
  }
}

TEST_F(RunDamageTest, ACursorCanSeekAgainAfterAFailure) {
  const auto run = Open(1);
  RunCursor cursor(*run);
  bool fails = true;
  files_->SetHook([&](const FileCall&) { return fails ? Fault::kError : Fault::kNone; });
  EXPECT_EQ(cursor.Seek(1, 0).code(), StatusCode::kIoError);
  EXPECT_FALSE(cursor.valid());
  fails = false;
  ASSERT_TRUE(cursor.Seek(1, 0).ok());
  EXPECT_EQ(Copy(cursor.entry()), rows_.front());
  fails = true;
  Status status;
  while (status.ok() && cursor.valid()) status = cursor.Next();
  EXPECT_EQ(status.code(), StatusCode::kIoError);
  EXPECT_FALSE(cursor.valid());
}

}  // namespace
}  // namespace burin
