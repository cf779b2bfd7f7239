// The order of checkpoints and merges: no file goes, and no segment is used again, before the
// manifest that does not need it is on the device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "engine/runs/run_format.h"
#include "engine/store/manifest.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

// What a power cut would leave of the manifest when nothing unsynced survives.
Manifest DurableManifest(const SimulatedDisk& disk) {
  const auto doubts = disk.Doubts(SimulatedDisk::Tearing::kNo);
  SimulatedFileSystem files(disk.AfterPowerCut(std::vector<uint32_t>(doubts.size(), 0)));
  auto manifest = ReadManifest(files, kDatabase);
  EXPECT_TRUE(manifest.ok()) << manifest.status().message();
  return manifest.ok() ? std::move(*manifest) : Manifest();
}

class CheckpointOrderTest : public testing::Test {
 protected:
  // From now on each file that goes is compared with the manifest.
  void Watch() {
    files_.SetHook([this](const FileCall& call) {
      const bool goes =
          call.kind == FileCall::Kind::kRemove || call.kind == FileCall::Kind::kRename;
      if (goes && !call.path.ends_with(".new")) ExpectNotNeeded(call.path);
      return Fault::kNone;
    });
  }

  void ExpectNotNeeded(const std::string& path) {
    const std::string name = path.substr(path.rfind('/') + 1);
    const Manifest manifest = DurableManifest(files_.Disk());
    if (const uint64_t sequence = SegmentSequence(name); sequence != 0) {
      ++segments_gone_;
      EXPECT_LT(sequence, manifest.log_start.sequence) << path;
    } else if (const uint64_t run = RunIdOf(name); run != 0) {
      ++runs_gone_;
      EXPECT_EQ(std::count(manifest.runs.begin(), manifest.runs.end(), run), 0) << path;
    }
  }

  SimulatedFileSystem files_;
  std::atomic<int> segments_gone_{0};
  std::atomic<int> runs_gone_{0};
};

TEST_F(CheckpointOrderTest, NothingGoesBeforeADurableManifestCanDoWithoutIt) {
  Watch();
  // A table holds 716 rows, which fill six segments: each checkpoint frees more than are kept.
  const auto engine = OpenDatabase(SmallOptions(&files_));
  const TableId table = MakeTable(*engine);
  const auto session = engine->Connect();
  for (int64_t first = 0; first < 4000; first += 50) {
    Transaction transaction = BeginOn(*session);
    for (int64_t key = first; key < first + 50; ++key) {
      transaction.batch().Insert(table, key, std::string(8000, 'x'));
    }
    ASSERT_EQ(Text(transaction.Commit()), "ok");
  }
  ASSERT_EQ(Text(engine->MergeAll()), "ok");
  EXPECT_GE(segments_gone_, 5);
  EXPECT_GE(runs_gone_, 2);
}

}  // namespace
}  // namespace burin
