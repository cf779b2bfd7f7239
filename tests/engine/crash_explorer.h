// Opens the states that power cuts leave, each distinct one once, and says what is wrong with them.
//
// A state is a disk and what had been acknowledged when it was left. It is right when the database
// opens and the oracle finds nothing wrong; of one in eight, also when what was read is read again
// after a second power cut, with a row written in between that stays. The first wrong state is kept
// as files, because threads of the engine may make a seed run differently the next time.
// Thread rule: any thread at once, each with moments of its own. Failures are test failures.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_set>

#include "tests/engine/crash_workload.h"
#include "tests/engine/power_cut.h"

namespace burin {

class CrashExplorer {
 public:
  // Explores up to `states` outcomes of a power cut at that moment.
  void Explore(const CrashMoment& moment, const Oracle& oracle, SimulatedDisk::Tearing tearing,
               uint64_t states, uint64_t seed);

  uint64_t explored() const { return explored_.load(); }  // distinct disks with what they owe
  uint64_t outcomes() const { return outcomes_.load(); }  // of power cuts, repetitions included
  uint64_t disks() const;                                 // distinct ones

 private:
  bool IsNew(const SimulatedDisk& disk, const Oracle::Horizon& horizon);
  void Keep(const SimulatedDisk& disk);

  std::atomic<uint64_t> explored_{0};
  std::atomic<uint64_t> outcomes_{0};
  mutable std::mutex mutex_;
  std::unordered_set<uint64_t> states_;
  std::unordered_set<uint64_t> disks_;
  bool kept_ = false;
};

// Opens the disk and looks at all rows; what it answers is there to stay. `after`: as it left it.
CrashContent Recover(const SimulatedDisk& disk, const Oracle& oracle,
                     const Oracle::Horizon& horizon, SimulatedDisk* after);

}  // namespace burin
