// Runs two sides in turn, A B B A, block after block, until enough is known or a budget ends.
// When to stop hangs on the width of intervals and never on a verdict: stopping as soon as a
// difference shows would find one where there is none.
// Thread rule: one thread. Runs and clock are the caller's, so that tests can make up both.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "apps/throughput-compare/options.h"
#include "apps/throughput-compare/samples.h"

namespace throughput {

inline constexpr int kExitInterrupted = 130;
// Before that many no interval is trusted to be as narrow as it looks.
inline constexpr int kFewestBlocks = 3;

enum class End { kPrecise, kBudget, kRuns, kInterrupted, kRecorded };

struct Interleaved {
  SideRuns before;
  SideRuns after;
  Samples samples;
  End end = End::kRuns;
  int runs = 0;  // of each side
};

struct Bench {
  std::function<Result<std::vector<ReadRun>>()> before;
  std::function<Result<std::vector<ReadRun>>()> after;
  std::function<std::chrono::duration<double>()> now;
  std::function<void(const std::string& text)> progress;
};

// Runs each side once, before anything is counted: that both run, that their tests match, and that
// the metrics of --precision and --fail-on are there, is known before a long series begins.
// Failures as they come.
Result<void> TryOnce(const Bench& bench, const Limits& limits);

// Behind TryOnce. At least one block. A failure with kExitInterrupted ends it with the whole blocks
// there are, if any; every other failure of a run is returned as kExitFailed, whatever the run
// said, with how many runs it cost.
Result<Interleaved> RunInTurn(const Bench& bench, const Limits& limits);

}  // namespace throughput
