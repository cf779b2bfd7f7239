// Power cuts: whatever a disk makes of its unsynced sectors and names, the database opens, holds
// every acknowledged batch, and never says two things about the others.
//
// BURIN_CRASH_STATES: how many states the random test looks at (default 2,000). BURIN_CRASH_SEED:
// where it begins; a failure names the seed that repeats it.
#include "tests/engine/power_cut.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "tests/engine/crash_workload.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

using Tearing = SimulatedDisk::Tearing;

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* const text = std::getenv(name);
  uint64_t value = otherwise;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), value);
  return value;
}

// The disk when nothing unsynced survives.
SimulatedDisk LosingAllUnsynced(const SimulatedDisk& disk) {
  return disk.AfterPowerCut(std::vector<uint32_t>(disk.Doubts(Tearing::kNo).size(), 0));
}

// Opens the disk and looks at all rows; what it answers is there to stay.
CrashContent Recover(const SimulatedDisk& disk, const Oracle& oracle,
                     const Oracle::Horizon& horizon, SimulatedDisk* after) {
  SimulatedFileSystem files(disk);
  CrashContent content;
  const auto engine = OpenDatabase(SmallOptions(&files));
  if (engine == nullptr) return content;
  EXPECT_EQ(oracle.Check(*engine, horizon), "");
  content = ReadContent(*engine);
  *after = files.Disk();
  return content;
}

// What was read once is read again after a second power cut, and what is written is kept.
void ExpectStable(const SimulatedDisk& disk, const CrashContent& content) {
  SimulatedFileSystem files(LosingAllUnsynced(disk));
  SimulatedDisk with_a_row;
  {
    const auto engine = OpenDatabase(SmallOptions(&files));
    ASSERT_NE(engine, nullptr);
    EXPECT_TRUE(ReadContent(*engine) == content) << "what had been read has changed";
    const auto session = engine->Connect();
    EXPECT_EQ(Text(InsertRow(*session, MakeTable(*engine, "third"), 1, "a row")), "ok");
    with_a_row = LosingAllUnsynced(files.Disk());
  }
  SimulatedFileSystem again(with_a_row);
  const auto engine = OpenDatabase(SmallOptions(&again));
  ASSERT_NE(engine, nullptr);
  EXPECT_TRUE(ReadContent(*engine) == content) << "a new row has changed the others";
  const auto table = engine->FindTable("third");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(AllRows(*engine, *table), (Rows{{1, "a row"}}));
}

// Looks at up to `states` states of one moment; answers how many there were.
uint64_t TryMoment(const CrashMoment& moment, const Oracle& oracle, uint64_t states,
                   uint64_t seed) {
  uint64_t tried = 0;
  PowerCut cut(moment.disk, Tearing::kYes, states, seed);
  while (const auto disk = cut.Next()) {
    SCOPED_TRACE("power cut before " + moment.before_call + ", outcomes " +
                 testing::PrintToString(cut.outcomes()));
    SimulatedDisk after;
    const CrashContent content = Recover(*disk, oracle, moment.horizon, &after);
    if (tried++ % 8 == 0 && !testing::Test::HasFailure()) ExpectStable(after, content);
    if (testing::Test::HasFailure()) break;
  }
  return tried;
}

TEST(PowerCutTest, EveryAcknowledgedBatchSurvivesAndTheOthersAreWholeOrAbsent) {
  constexpr uint64_t kStatesOfAMoment = 12;
  constexpr int kLinks = 3;  // crashes one behind the other
  const uint64_t wanted = FromEnvironment("BURIN_CRASH_STATES", 2000);
  const uint64_t first_seed = FromEnvironment("BURIN_CRASH_SEED", 1);
  uint64_t tried = 0;
  for (uint64_t seed = first_seed; tried < wanted && !HasFailure(); ++seed) {
    SCOPED_TRACE("repeat with BURIN_CRASH_STATES=1 BURIN_CRASH_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    SimulatedDisk start;
    CrashContent content;
    for (int link = 0; link < kLinks && !HasFailure(); ++link) {
      CrashWorkload workload(start, content, random());
      workload.Run(12);
      for (const CrashMoment& moment : workload.moments()) {
        if (HasFailure()) break;
        tried += TryMoment(moment, workload.oracle(), kStatesOfAMoment, random());
      }
      if (HasFailure() || workload.moments().empty()) break;
      const CrashMoment& survivor = workload.moments()[random() % workload.moments().size()];
      PowerCut cut(survivor.disk, Tearing::kYes, 3, random());
      while (const auto disk = cut.Next()) start = *disk;
      SimulatedDisk ignored;
      content = Recover(start, workload.oracle(), survivor.horizon, &ignored);
    }
  }
  RecordProperty("states", std::to_string(tried));
}

// Three tiny commits: every state there can be, at every step.
TEST(PowerCutTest, EveryStateOfAShortLifeIsRecovered) {
  SimulatedFileSystem files;
  Oracle oracle;
  std::vector<CrashMoment> moments;
  files.SetHook([&](const FileCall& call) {
    if (call.Changes() || call.kind == FileCall::Kind::kSync ||
        call.kind == FileCall::Kind::kSyncFolder) {
      moments.push_back({"call " + std::to_string(call.index), files.Disk(), oracle.Now()});
    }
    return Fault::kNone;
  });
  {
    const auto engine = OpenDatabase(SmallOptions(&files));
    ASSERT_NE(engine, nullptr);
    const TableId table = MakeTable(*engine, "first");
    const auto session = engine->Connect();
    for (int64_t key = 0; key < 3; ++key) {
      const std::string value(700 * static_cast<size_t>(key), 'v');
      const size_t batch = oracle.Submit(0, {{"first", key, value}});
      ASSERT_EQ(Text(InsertRow(*session, table, key, value)), "ok");
      oracle.Acknowledge(0, batch);
    }
  }
  for (const CrashMoment& moment : moments) {
    PowerCut cut(moment.disk, Tearing::kNo, PowerCut::kExhaustiveLimit, 1);
    EXPECT_TRUE(cut.exhaustive());
    TryMoment(moment, oracle, PowerCut::kExhaustiveLimit, 1);
    if (HasFailure()) break;
  }
}

// A recovery is cut short before each of its own calls, and the next one cleans up.
TEST(PowerCutTest, ARecoveryMayBeCutShortAnywhere) {
  CrashWorkload workload(SimulatedDisk(), {}, FromEnvironment("BURIN_CRASH_SEED", 5));
  workload.Run(10);
  ASSERT_FALSE(HasFailure());
  std::mt19937_64 random(1);
  for (size_t i = 0; i < workload.moments().size() && !HasFailure(); i += 5) {
    const CrashMoment& moment = workload.moments()[i];
    PowerCut cut(moment.disk, Tearing::kYes, 3, random());
    while (const auto disk = cut.Next()) {
      SimulatedFileSystem files(*disk);
      std::vector<CrashMoment> inner;
      files.SetHook([&](const FileCall& call) {
        inner.push_back({"call " + std::to_string(call.index) + " of the recovery on " + call.path,
                         files.Disk(), moment.horizon});
        return Fault::kNone;
      });
      EXPECT_NE(OpenDatabase(SmallOptions(&files)), nullptr);
      SCOPED_TRACE("first cut before " + moment.before_call);
      for (const CrashMoment& second : inner) {
        if (!HasFailure()) TryMoment(second, workload.oracle(), 2, random());
      }
    }
  }
}

}  // namespace
}  // namespace burin
