// Power cuts: whatever a disk makes of its unsynced sectors and names, the database opens, holds
// every acknowledged batch, and never says two things about the others.
//
// BURIN_CRASH_STATES: how many distinct states the random test looks at (default 2,000; that of
// recoveries looks at half as many, at most 100,000). BURIN_CRASH_SEED: where it begins; a failure
// names the seed that repeats it, as far as the engine's own threads repeat themselves, and keeps
// the disk. BURIN_CRASH_THREADS: how many threads look (default 1).
#include "tests/engine/power_cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "tests/engine/crash_explorer.h"
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

// Lives of a database, one behind the other, each going on from what a crash left of the one
// before.
class CrashChain {
 public:
  CrashChain(CrashExplorer& explorer, uint64_t wanted, uint64_t seed)
      : explorer_(explorer), wanted_(wanted), random_(seed) {}

  void Run() {
    constexpr int kLinks = 3;
    SimulatedDisk start;
    CrashContent content;
    for (int link = 0; link < kLinks && GoesOn(); ++link) {
      CrashWorkload workload(start, content, random_());
      workload.Run(12);
      for (const CrashMoment& moment : workload.moments()) {
        if (!GoesOn()) return;
        Explore(moment, workload.oracle());
      }
      const CrashMoment& survivor = workload.moments()[random_() % workload.moments().size()];
      PowerCut cut(survivor.disk, Tearing::kYes, 3, random_());
      while (const auto disk = cut.Next()) start = *disk;
      SimulatedDisk ignored;
      content = Recover(start, workload.oracle(), survivor.horizon, &ignored);
    }
  }

 private:
  bool GoesOn() const { return !testing::Test::HasFailure() && explorer_.explored() < wanted_; }

  // All outcomes where twelve sectors or fewer are in doubt (as long as that leaves states for
  // other moments), and some with torn sectors.
  void Explore(const CrashMoment& moment, const Oracle& oracle) {
    constexpr uint64_t kRandomStates = 12;
    const uint64_t most = std::min(PowerCut::kExhaustiveLimit, wanted_ / 64);
    const bool all = PowerCut(moment.disk, Tearing::kNo, most, 1).exhaustive();
    explorer_.Explore(moment, oracle, Tearing::kNo, all ? most : kRandomStates, random_());
    explorer_.Explore(moment, oracle, Tearing::kYes, kRandomStates, random_());
  }

  CrashExplorer& explorer_;
  const uint64_t wanted_;
  std::mt19937_64 random_;
};

void Report(const CrashExplorer& explorer, std::chrono::steady_clock::time_point begin) {
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf(
      "%llu distinct states explored (%llu distinct disks, %llu outcomes of power cuts) in %.1f s, "
      "%.0f states/s\n",
      static_cast<unsigned long long>(explorer.explored()),
      static_cast<unsigned long long>(explorer.disks()),
      static_cast<unsigned long long>(explorer.outcomes()), took.count(),
      static_cast<double>(explorer.explored()) / took.count());
}

TEST(PowerCutTest, EveryAcknowledgedBatchSurvivesAndTheOthersAreWholeOrAbsent) {
  const uint64_t wanted = FromEnvironment("BURIN_CRASH_STATES", 2000);
  std::atomic<uint64_t> next_seed{FromEnvironment("BURIN_CRASH_SEED", 1)};
  const auto begin = std::chrono::steady_clock::now();
  CrashExplorer explorer;
  const auto work = [&] {
    while (explorer.explored() < wanted && !HasFailure()) {
      const uint64_t seed = next_seed.fetch_add(1);
      SCOPED_TRACE("seed " + std::to_string(seed) + " (BURIN_CRASH_SEED repeats it)");
      CrashChain(explorer, wanted, seed).Run();
    }
  };
  std::vector<std::thread> threads;
  for (uint64_t i = FromEnvironment("BURIN_CRASH_THREADS", 1); i > 0; --i)
    threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  Report(explorer, begin);
  EXPECT_GE(explorer.explored(), wanted);
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
  CrashExplorer explorer;
  for (const CrashMoment& moment : moments) {
    EXPECT_TRUE(PowerCut(moment.disk, Tearing::kNo, PowerCut::kExhaustiveLimit, 1).exhaustive());
    explorer.Explore(moment, oracle, Tearing::kNo, PowerCut::kExhaustiveLimit, 1);
    if (HasFailure()) break;
  }
}

// A program is killed, so that what it wrote is there to read, but not all of it on the device;
// the recovery is killed before one of its calls; so is that of the recovery; and before each call
// of each the power may be cut instead.
class RecoveryOfRecoveries {
 public:
  RecoveryOfRecoveries(const Oracle& oracle, const Oracle::Horizon& horizon, uint64_t seed)
      : oracle_(oracle), horizon_(horizon), random_(seed) {}

  void Run(const SimulatedDisk& killed, int depth) {
    if (depth == 0 || testing::Test::HasFailure()) return;
    SimulatedFileSystem files(killed);
    std::mutex mutex;
    std::vector<CrashMoment> steps;
    files.SetHook([&](const FileCall& call) {
      SimulatedDisk disk = files.Disk();
      const std::lock_guard guard(mutex);
      steps.push_back({"call " + std::to_string(call.index) + " of a recovery on " + call.path,
                       std::move(disk), horizon_});
      return Fault::kNone;
    });
    if (const auto engine = OpenDatabase(CrashOptions(&files)); engine != nullptr) {
      EXPECT_EQ(oracle_.Check(*engine, horizon_), "");
    }
    for (const CrashMoment& step : steps) {
      if (testing::Test::HasFailure()) return;
      explorer_.Explore(step, oracle_, Tearing::kYes, 4, random_());
    }
    const CrashMoment& again = steps[random_() % steps.size()];
    SCOPED_TRACE("killed before " + again.before_call);
    Run(again.disk, depth - 1);
  }

  uint64_t explored() const { return explorer_.explored(); }

 private:
  const Oracle& oracle_;
  const Oracle::Horizon& horizon_;
  std::mt19937_64 random_;
  CrashExplorer explorer_;
};

TEST(PowerCutTest, ARecoveryMayBeCutShortAnywhereAndSoMayTheNext) {
  constexpr int kDepth = 3;
  const uint64_t wanted =
      std::min<uint64_t>(FromEnvironment("BURIN_CRASH_STATES", 2000) / 2, 100000);
  const uint64_t seed = FromEnvironment("BURIN_CRASH_SEED", 5);
  uint64_t explored = 0;
  for (uint64_t i = 0; explored < wanted && !HasFailure(); ++i) {
    SCOPED_TRACE("BURIN_CRASH_SEED=" + std::to_string(seed + i) + " repeats it");
    CrashWorkload workload(SimulatedDisk(), {}, seed + i);
    workload.Run(10);
    std::mt19937_64 random(seed + i);
    for (size_t at = random() % 8; at < workload.moments().size() && !HasFailure(); at += 8) {
      const CrashMoment& moment = workload.moments()[at];
      SCOPED_TRACE("killed before " + moment.before_call);
      RecoveryOfRecoveries recoveries(workload.oracle(), moment.horizon, random());
      recoveries.Run(moment.disk, kDepth);
      explored += recoveries.explored();
      if (explored >= wanted) break;
    }
  }
}

}  // namespace
}  // namespace burin
