// Writing a run: all or nothing, in small pieces, and what the caller may not do.
#include "engine/runs/run_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/runs/run_fixture.h"

namespace burin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RunWriterTest : public RunTest {
 protected:
  std::unique_ptr<RunWriter> MustCreate(RunWriter::Pace pace = nullptr) {
    auto writer = RunWriter::Create(*files_, kFolder, 1, kDatabase, std::move(pace));
    EXPECT_TRUE(writer.ok()) << Text(writer.status());
    return std::move(*writer);
  }

  std::vector<std::string> Names() { return *files_->List(kFolder); }
};

TEST_F(RunWriterTest, AFinishedRunSurvivesAnyPowerCut) {
  ASSERT_TRUE(WriteRun(*files_, kFolder, 1, LoadedRows(0, 3000)).ok());
  EXPECT_THAT(files_->Disk().Doubts(SimulatedDisk::Tearing::kYes), IsEmpty());
  EXPECT_THAT(Names(), ElementsAre("run-000000000001"));
}

TEST_F(RunWriterTest, AnUnfinishedRunIsRemoved) {
  {
    const auto writer = MustCreate();
    for (const RunRow& row : LoadedRows(0, 300'000)) ASSERT_TRUE(writer->Add(row.Entry()).ok());
    EXPECT_THAT(Names(), ElementsAre("run-000000000001.new"));
  }
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(RunWriterTest, WhatACrashLeftIsWrittenOver) {
  files_->Disk();
  {
    auto file = files_->Open(UnfinishedRunPath(kFolder, 1), FileSystem::OpenMode::kCreate);
    std::string junk(100'000, 'x');
    iovec buffer{junk.data(), junk.size()};
    ASSERT_TRUE((*file)->Write({&buffer, 1}, 0).ok());
  }
  const std::vector<RunRow> rows = LoadedRows(0, 10);
  EXPECT_EQ(*ReadAll(MustWriteAndOpen(1, rows)), rows);
}

TEST_F(RunWriterTest, OfALargeRunWhatIsSyncedLeavesTheCache) {
  std::vector<FileCall::Kind> calls;
  files_->SetHook([&](const FileCall& call) {
    calls.push_back(call.kind);
    return Fault::kNone;
  });
  const std::string value(200'000, 'v');
  const auto calls_of_a_run = [&](uint64_t id, int rows) {
    calls.clear();
    auto writer = RunWriter::Create(*files_, kFolder, id, kDatabase);
    for (int key = 0; key < rows; ++key) {
      EXPECT_TRUE((*writer)->Add({.table = 1, .key = key, .value = value}).ok());
    }
    EXPECT_TRUE((*writer)->Finish().ok());
    return calls;
  };
  const auto leaves = [](const std::vector<FileCall::Kind>& all) {
    return std::count(all.begin(), all.end(), FileCall::Kind::kLeaveCache);
  };
  EXPECT_EQ(leaves(calls_of_a_run(1, 150)), 0) << "30 MB";
  const auto large = calls_of_a_run(2, 250);  // 50 MB
  EXPECT_EQ(leaves(large), 3) << "behind 40 MiB, 48 MiB and all";
  for (size_t i = 1; i < large.size(); ++i) {
    if (large[i] == FileCall::Kind::kLeaveCache) {
      EXPECT_EQ(large[i - 1], FileCall::Kind::kSync);
    }
  }
}

TEST_F(RunWriterTest, PiecesAreOfAboutAMegabyteWithASyncEveryEight) {
  uint64_t unsynced = 0;
  uint64_t most_unsynced = 0;
  uint64_t largest = 0;
  files_->SetHook([&](const FileCall& call) {
    if (call.kind == FileCall::Kind::kWrite) {
      largest = std::max(largest, call.size);
      unsynced += call.size;
      most_unsynced = std::max(most_unsynced, unsynced);
    }
    if (call.kind == FileCall::Kind::kSync) unsynced = 0;
    return Fault::kNone;
  });
  std::vector<RunRow> rows = LoadedRows(0, 100'000);
  for (int64_t i = 0; i < 5; ++i) {
    rows.push_back({1, 200'000 + i, 5, false, std::string(6 << 20, 'v')});
  }
  ASSERT_TRUE(WriteRun(*files_, kFolder, 1, rows).ok());
  EXPECT_LE(largest, 1U << 20);
  EXPECT_LE(most_unsynced, 9U << 20);
  EXPECT_GE(most_unsynced, 8U << 20);
  EXPECT_EQ(unsynced, 0U);
  files_->SetHook(nullptr);
  EXPECT_EQ(*ReadAll(*Open(1)), rows);
}

TEST_F(RunWriterTest, ThePaceHearsOfEachPiece) {
  std::vector<uint64_t> heard;
  auto writer = MustCreate([&](uint64_t bytes) {
    heard.push_back(bytes);
    return Status();
  });
  for (const RunRow& row : LoadedRows(0, 300'000)) ASSERT_TRUE(writer->Add(row.Entry()).ok());
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_GE(heard.size(), 4U);
  EXPECT_TRUE(std::is_sorted(heard.begin(), heard.end()));
  EXPECT_EQ(heard.back(), writer->bytes_written());
  EXPECT_EQ(heard.back(), (*Open(1))->file_bytes());
}

TEST_F(RunWriterTest, ThePaceCanEndTheWriting) {
  {
    auto writer = MustCreate([](uint64_t bytes) {
      return bytes > 2'000'000 ? Status(StatusCode::kBusy, "closing") : Status();
    });
    Status status;
    for (const RunRow& row : LoadedRows(0, 300'000)) {
      status = writer->Add(row.Entry());
      if (!status.ok()) break;
    }
    EXPECT_EQ(status.code(), StatusCode::kBusy);
    EXPECT_EQ(writer->Finish().code(), StatusCode::kBusy);
  }
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(RunWriterTest, RowsOutOfOrderAreRefusedForGood) {
  const RunRow first{2, 10, 50, false, "value of the first"};
  const std::vector<RunRow> refused{{2, 10, 50, false, "the same version"},
                                    {2, 10, 51, false, "a newer version behind"},
                                    {2, 9, 50, false, "a lower key"},
                                    {1, 11, 50, false, "a lower table"}};
  for (const RunRow& row : refused) {
    for (const bool new_block : {false, true}) {
      Reset();
      const auto writer = MustCreate();
      ASSERT_TRUE(writer->Add(first.Entry()).ok());
      if (new_block) {
        const std::string large(20'000, 'x');
        ASSERT_TRUE(writer->Add({2, false, 10, 49, large}).ok());
        if (row.lsn == 50 && row.key == 10) continue;
      }
      EXPECT_EQ(writer->Add(row.Entry()).code(), StatusCode::kInvalidArgument) << Describe(row);
      EXPECT_EQ(writer->Add({3, false, 1, 1, "in order"}).code(), StatusCode::kInvalidArgument);
      EXPECT_EQ(writer->Finish().code(), StatusCode::kInvalidArgument);
    }
  }
}

TEST_F(RunWriterTest, AFinishedRunTakesNothingMore) {
  const auto writer = MustCreate();
  ASSERT_TRUE(writer->Add({1, false, 1, 9, "the only row"}).ok());
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_EQ(writer->Add({1, false, 2, 9, "too late"}).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(writer->Finish().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadAll(*Open(1))->size(), 1U);
}

TEST_F(RunWriterTest, AValueBeyondTheLimitIsRefused) {
  const auto writer = MustCreate();
  const std::string small = "never read";
  const std::string_view too_large(small.data(), (size_t{1} << 28) + 1);
  const Status status = writer->Add({1, false, 1, 1, too_large});
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
}

TEST_F(RunWriterTest, TheValueOfAnErasedRowIsNotKept) {
  const RunRef run = MustWriteAndOpen(1, {{1, 1, 9, true, "of no use, of no use"},
                                          {1, 2, 9, true, "of no use, of no use"},
                                          {1, 3, 9, false, "kept"}});
  EXPECT_EQ((*ReadAll(run))[0], (RunRow{1, 1, 9, true, ""}));
  EXPECT_EQ((*ReadAll(run))[1], (RunRow{1, 2, 9, true, ""}));
  EXPECT_EQ((*ReadAll(run))[2], (RunRow{1, 3, 9, false, "kept"}));
}

// Whichever call fails, however: the run is there and whole, or is not there at all.
TEST_F(RunWriterTest, EachFailingCallLeavesNoRun) {
  std::vector<RunRow> rows = LoadedRows(0, 10'000);
  rows.push_back({1, 500'000, 5, false, std::string(9 << 20, 'v')});
  rows.push_back({2, 1, 5, false, "of another table"});
  ASSERT_TRUE(WriteRun(*files_, kFolder, 1, rows).ok());
  const uint64_t calls = files_->calls();
  ASSERT_GT(calls, 12U);
  for (const Fault fault : {Fault::kError, Fault::kPartialError, Fault::kNoSpace,
                            Fault::kPartialNoSpace, Fault::kLostPages}) {
    for (uint64_t failing = 0; failing < calls; ++failing) {
      Reset();
      bool removes_too = false;
      files_->SetHook([&](const FileCall& call) {
        if (call.kind == FileCall::Kind::kRemove) removes_too = true;
        return call.index == failing ? fault : Fault::kNone;
      });
      const Status status = WriteRun(*files_, kFolder, 1, rows);
      EXPECT_FALSE(status.ok()) << "call " << failing;
      const bool no_space = fault == Fault::kNoSpace || fault == Fault::kPartialNoSpace;
      EXPECT_EQ(status.code(), no_space ? StatusCode::kNoSpace : StatusCode::kIoError);
      EXPECT_THAT(Text(status), HasSubstr(kFolder));
      EXPECT_EQ(removes_too, failing > 0);
      EXPECT_THAT(Names(), IsEmpty()) << "call " << failing;
    }
  }
}

TEST_F(RunWriterTest, WhenNothingCanBeRemovedOnlyTheUnfinishedFileIsLeft) {
  files_->SetHook([&](const FileCall& call) {
    const bool fails = call.kind == FileCall::Kind::kSync || call.kind == FileCall::Kind::kRemove;
    return fails ? Fault::kError : Fault::kNone;
  });
  EXPECT_FALSE(WriteRun(*files_, kFolder, 1, LoadedRows(0, 100)).ok());
  EXPECT_THAT(Names(), ElementsAre("run-000000000001.new"));
}

}  // namespace
}  // namespace burin
