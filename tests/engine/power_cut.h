// Which states a disk may be in after a power cut: all of them when they are few, a random choice
// of them when they are many.
//
// Thread rule: one thread at a time. Reproducible: the same doubts, limit and seed give the same
// states in the same order.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "tests/engine/simulated_disk.h"

namespace burin {

class PowerCut {
 public:
  static constexpr uint64_t kExhaustiveLimit = 1 << 12;  // twelve things in doubt, two ways each

  // At most `limit` states. Exhaustive when there are no more than min(limit, kExhaustiveLimit);
  // else "nothing since the last sync" and "everything" come first, then random ones, each with
  // its own share of what is kept.
  PowerCut(const SimulatedDisk& disk, SimulatedDisk::Tearing tearing, uint64_t limit,
           uint64_t seed);

  std::optional<SimulatedDisk> Next();
  bool exhaustive() const { return exhaustive_; }

  // The choice that made the last state, for the message of a failing test.
  const std::vector<uint32_t>& outcomes() const { return outcomes_; }

 private:
  void Advance();
  void ChooseAtRandom();

  const SimulatedDisk& disk_;
  const std::vector<SimulatedDisk::Doubt> doubts_;
  uint64_t left_;
  bool exhaustive_ = false;
  uint64_t made_ = 0;
  std::mt19937_64 random_;
  std::vector<uint32_t> outcomes_;
};

}  // namespace burin
