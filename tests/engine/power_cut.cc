#include "tests/engine/power_cut.h"

#include <algorithm>

namespace burin {
namespace {

// The number of states, or `limit` + 1 when there are more.
uint64_t CountStates(const std::vector<SimulatedDisk::Doubt>& doubts, uint64_t limit) {
  uint64_t count = 1;
  for (const SimulatedDisk::Doubt& doubt : doubts) {
    count *= doubt.outcomes;
    if (count > limit) return limit + 1;
  }
  return count;
}

}  // namespace

PowerCut::PowerCut(const SimulatedDisk& disk, SimulatedDisk::Tearing tearing, uint64_t limit,
                   uint64_t seed)
    : disk_(disk),
      doubts_(disk.Doubts(tearing)),
      left_(limit),
      random_(seed),
      outcomes_(doubts_.size(), 0) {
  const uint64_t most = std::min(limit, kExhaustiveLimit);
  const uint64_t count = CountStates(doubts_, most);
  exhaustive_ = count <= most;
  if (exhaustive_) left_ = count;
}

std::optional<SimulatedDisk> PowerCut::Next() {
  if (left_ == 0) return std::nullopt;
  --left_;
  if (made_++ > 0) Advance();
  return disk_.AfterPowerCut(outcomes_);
}

void PowerCut::Advance() {
  if (exhaustive_) {  // counts up, in the mixed base of the doubts
    for (size_t digit = 0; digit < outcomes_.size(); ++digit) {
      if (++outcomes_[digit] < doubts_[digit].outcomes) return;
      outcomes_[digit] = 0;
    }
  } else if (made_ == 2) {
    for (size_t doubt = 0; doubt < doubts_.size(); ++doubt) {
      outcomes_[doubt] = doubts_[doubt].newest;
    }
  } else {
    ChooseAtRandom();
  }
}

void PowerCut::ChooseAtRandom() {
  const double kept = std::uniform_real_distribution<double>(0, 1)(random_);
  std::bernoulli_distribution keep(kept);
  for (size_t doubt = 0; doubt < doubts_.size(); ++doubt) {
    std::uniform_int_distribution<uint32_t> outcome(1, doubts_[doubt].outcomes - 1);
    outcomes_[doubt] = keep(random_) ? outcome(random_) : 0;
  }
}

}  // namespace burin
