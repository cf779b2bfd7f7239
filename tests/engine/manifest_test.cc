// The manifest under failing writes and syncs: whatever they leave, one slot stays whole, and what
// is read is a state that was the current one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/store/manifest_keeper.h"
#include "tests/engine/power_cut.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

using testing::AnyOf;

class ManifestTest : public testing::TestWithParam<Fault> {
 protected:
  // With a list that is longer than a sector, so that a slot can be torn.
  static void Edit(Manifest& manifest, uint64_t value) {
    manifest.next_run = value;
    manifest.runs.assign(200, value);
  }

  void Create() {
    ASSERT_TRUE(files_.CreateFolder(kDatabase).ok());
    ASSERT_TRUE(files_.SyncFolder("/").ok());
    Manifest manifest;
    Edit(manifest, 1);
    ASSERT_TRUE(CreateManifest(files_, kDatabase, manifest).ok());
    keeper_.Set(manifest);
  }

  Status Change(ManifestKeeper& keeper, uint64_t value) {
    return keeper.Change([value](Manifest& manifest) { Edit(manifest, value); });
  }

  // Whatever a power cut now makes of the disk, it holds the state `least` or a later one.
  static void ExpectReadable(const SimulatedDisk& disk, uint64_t least) {
    PowerCut cut(disk, SimulatedDisk::Tearing::kYes, 200, 1);
    while (const auto after = cut.Next()) {
      SimulatedFileSystem files(*after);
      const auto manifest = ReadManifest(files, kDatabase);
      ASSERT_TRUE(manifest.ok()) << manifest.status().message();
      ASSERT_GE(manifest->next_run, least);
      ASSERT_EQ(manifest->runs, std::vector<uint64_t>(200, manifest->next_run));
    }
  }

  SimulatedFileSystem files_;
  ManifestKeeper keeper_{files_, kDatabase};
};

// The n-th write or sync of a change fails, and the power may be cut at any step of the next.
TEST_P(ManifestTest, AFailedChangeAndTheNextLeaveOneSlotWhole) {
  for (uint64_t failing = 0; failing < 4; ++failing) {
    SCOPED_TRACE("call " + std::to_string(failing));
    files_.SetHook(nullptr);
    if (failing == 0) Create();
    uint64_t calls = 0;
    files_.SetHook([&](const FileCall& call) {
      const bool counts = call.kind == FileCall::Kind::kWrite || call.kind == FileCall::Kind::kSync;
      return counts && calls++ == failing ? GetParam() : Fault::kNone;
    });
    const uint64_t before = keeper_.Copy().next_run;
    EXPECT_FALSE(Change(keeper_, before + 1).ok());
    EXPECT_EQ(keeper_.Copy().next_run, before);
    ExpectReadable(files_.Disk(), before);
    files_.SetHook([&](const FileCall&) {
      ExpectReadable(files_.Disk(), before);
      return Fault::kNone;
    });
    EXPECT_TRUE(Change(keeper_, before + 2).ok());
    ExpectReadable(files_.Disk(), before + 2);
  }
}

// A program that is started anew reads what the failed change left in the page cache.
TEST_P(ManifestTest, WhatIsReadAfterAFailureIsSettledBeforeItIsChanged) {
  for (uint64_t failing = 0; failing < 4; ++failing) {
    SCOPED_TRACE("call " + std::to_string(failing));
    files_.SetHook(nullptr);
    if (failing == 0) Create();
    uint64_t calls = 0;
    files_.SetHook([&](const FileCall& call) {
      const bool counts = call.kind == FileCall::Kind::kWrite || call.kind == FileCall::Kind::kSync;
      return counts && calls++ == failing ? GetParam() : Fault::kNone;
    });
    const uint64_t before = keeper_.Copy().next_run;
    EXPECT_FALSE(Change(keeper_, before + 1).ok());

    ManifestKeeper again(files_, kDatabase);
    auto read = ReadManifest(files_, kDatabase);
    ASSERT_TRUE(read.ok()) << read.status().message();
    const uint64_t seen = read->next_run;
    EXPECT_THAT(seen, AnyOf(before, before + 1));
    again.Set(std::move(*read));
    files_.SetHook([&](const FileCall&) {
      ExpectReadable(files_.Disk(), before);
      return Fault::kNone;
    });
    ASSERT_TRUE(again.Settle().ok());
    files_.SetHook([&](const FileCall&) {
      ExpectReadable(files_.Disk(), seen);
      return Fault::kNone;
    });
    EXPECT_TRUE(Change(again, before + 2).ok());
    keeper_.Set(again.Copy());
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, ManifestTest,
                         testing::Values(Fault::kError, Fault::kPartialError, Fault::kLostPages),
                         [](const auto& fault) {
                           return fault.param == Fault::kError          ? "Error"
                                  : fault.param == Fault::kPartialError ? "PartialError"
                                                                        : "LostPages";
                         });

}  // namespace
}  // namespace burin
