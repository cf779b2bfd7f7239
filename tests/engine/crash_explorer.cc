#include "tests/engine/crash_explorer.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "engine/log/format.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

// The disk when nothing unsynced survives.
SimulatedDisk LosingAllUnsynced(const SimulatedDisk& disk) {
  const auto doubts = disk.Doubts(SimulatedDisk::Tearing::kNo);
  return disk.AfterPowerCut(std::vector<uint32_t>(doubts.size(), 0));
}

// What was read once is read again after a second power cut, and what is written is kept.
void ExpectStable(const SimulatedDisk& disk, const CrashContent& content) {
  SimulatedFileSystem files(LosingAllUnsynced(disk));
  SimulatedDisk with_a_row;
  {
    const auto engine = OpenDatabase(CrashOptions(&files));
    ASSERT_NE(engine, nullptr);
    EXPECT_TRUE(ReadContent(*engine) == content) << "what had been read has changed";
    const auto session = engine->Connect();
    EXPECT_EQ(Text(InsertRow(*session, MakeTable(*engine, "third"), 1, "a row")), "ok");
    with_a_row = LosingAllUnsynced(files.Disk());
  }
  SimulatedFileSystem again(with_a_row);
  const auto engine = OpenDatabase(CrashOptions(&again));
  ASSERT_NE(engine, nullptr);
  EXPECT_TRUE(ReadContent(*engine) == content) << "a new row has changed the others";
  const auto table = engine->FindTable("third");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(AllRows(*engine, *table), (Rows{{1, "a row"}}));
}

}  // namespace

CrashContent Recover(const SimulatedDisk& disk, const Oracle& oracle,
                     const Oracle::Horizon& horizon, SimulatedDisk* after) {
  SimulatedFileSystem files(disk);
  CrashContent content;
  const auto engine = OpenDatabase(CrashOptions(&files));
  if (engine == nullptr) return content;
  EXPECT_EQ(oracle.Check(*engine, horizon), "");
  content = ReadContent(*engine);
  *after = files.Disk();
  return content;
}

uint64_t CrashExplorer::disks() const {
  const std::lock_guard guard(mutex_);
  return disks_.size();
}

// The same disk owes more when more had been acknowledged.
bool CrashExplorer::IsNew(const SimulatedDisk& disk, const Oracle::Horizon& horizon) {
  const uint64_t fingerprint = disk.Fingerprint();
  const auto& owed = horizon.acknowledged;
  const uint64_t state = Checksum(owed.data(), owed.size() * sizeof owed[0], fingerprint);
  const std::lock_guard guard(mutex_);
  disks_.insert(fingerprint);
  return states_.insert(state).second;
}

void CrashExplorer::Explore(const CrashMoment& moment, const Oracle& oracle,
                            SimulatedDisk::Tearing tearing, uint64_t states, uint64_t seed) {
  PowerCut cut(moment.disk, tearing, states, seed);
  while (const auto disk = cut.Next()) {
    outcomes_.fetch_add(1);
    if (!IsNew(*disk, moment.horizon)) continue;
    SCOPED_TRACE("power cut before " + moment.before_call + ", outcomes " +
                 testing::PrintToString(cut.outcomes()));
    SimulatedDisk after;
    const CrashContent content = Recover(*disk, oracle, moment.horizon, &after);
    const bool closely = explored_.fetch_add(1) % 8 == 0;
    if (closely && !testing::Test::HasFailure()) ExpectStable(after, content);
    if (!testing::Test::HasFailure()) continue;
    Keep(*disk);
    return;
  }
}

void CrashExplorer::Keep(const SimulatedDisk& disk) {
  const std::lock_guard guard(mutex_);
  if (kept_) return;
  kept_ = true;
  std::string folder = testing::TempDir() + "burin-crash-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return;
  for (const std::string& name : disk.List(kDatabase)) {
    std::ofstream(folder + "/" + name, std::ios::binary)
        << disk.Content(std::string(kDatabase) + "/" + name);
  }
  ADD_FAILURE() << "the disk is kept in " << folder;
}

}  // namespace burin
