// Owns the order of the runs and when they end.
#include "apps/throughput-compare/interleaving.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/results/text.h"
#include "apps/throughput-compare/comparison.h"

namespace throughput {
namespace {

class Interleaver {
 public:
  Interleaver(const Bench& bench, const Limits& limits)
      : bench_(bench), limits_(limits), started_(bench.now()) {}

  Result<Interleaved> Run() {
    for (;;) {
      if (auto block = RunBlock(); !block) return Broken(block.error());
      auto samples = CollectSamples(result_.before, result_.after);
      if (!samples) return Broken(samples.error());
      result_.samples = *std::move(samples);
      ++blocks_;
      result_.runs = 2 * blocks_;
      if (Ended()) return std::move(result_);
    }
  }

 private:
  // Both sides get a block's runs together or not at all.
  Result<void> RunBlock() {
    std::array<std::vector<ReadRun>, 4> runs;
    constexpr std::array kOrder = {true, false, false, true};  // whether it is a run of `before`
    for (size_t i = 0; i < kOrder.size(); ++i) {
      auto run = (kOrder[i] ? bench_.before : bench_.after)();
      if (!run) return tl::unexpected(run.error());
      runs[i] = *std::move(run);
    }
    for (size_t i = 0; i < kOrder.size(); ++i) {
      (kOrder[i] ? result_.before : result_.after).AddRun(std::move(runs[i]));
    }
    return {};
  }

  Result<Interleaved> Broken(const Failure& failure) {
    if (failure.exit_code == kExitInterrupted) {
      if (blocks_ == 0) return tl::unexpected(failure);
      result_.end = End::kInterrupted;
      return std::move(result_);
    }
    if (blocks_ == 0) return Failed(failure.message);
    return Failed(fmt::format("{}; what {} a side had shown is lost", failure.message,
                              Counted(result_.runs, "run")));
  }

  bool Ended() {
    const std::vector<Judged> judged = JudgeAll(result_.samples.samples, true);
    const std::chrono::duration<double> spent = bench_.now() - started_;
    bench_.progress(fmt::format("{} runs a side, {}{:.0f} of {:.0f} s", result_.runs,
                                Widths(judged), spent.count(), limits_.budget.count()));
    if (blocks_ >= kFewestBlocks && Precise(judged)) {
      result_.end = End::kPrecise;
    } else if (result_.runs + 2 > limits_.runs) {
      result_.end = End::kRuns;
    } else if (spent + spent / blocks_ > limits_.budget) {
      result_.end = End::kBudget;
    } else {
      return false;
    }
    return true;
  }

  bool Precise(const std::vector<Judged>& judged) const {
    return std::all_of(judged.begin(), judged.end(), [&](const Judged& each) {
      return std::all_of(limits_.precision.begin(), limits_.precision.end(), [&](const Goal& goal) {
        return goal.metric != each.sample.metric ||
               HalfWidth(each.estimate).value_or(0) <= goal.percent;
      });
    });
  }

  // "rows/s +- 3.2 %, "
  std::string Widths(const std::vector<Judged>& judged) const {
    std::string text;
    for (const Goal& goal : limits_.precision) {
      double widest = 0;
      for (const Judged& each : judged) {
        if (each.sample.metric != goal.metric) continue;
        widest = std::max(widest, HalfWidth(each.estimate).value_or(0));
      }
      text += std::isfinite(widest) ? fmt::format("{} +- {:.2g} %, ", goal.metric, widest)
                                    : fmt::format("{} not bounded yet, ", goal.metric);
    }
    return text;
  }

  const Bench& bench_;
  const Limits& limits_;
  const std::chrono::duration<double> started_;
  Interleaved result_;
  int blocks_ = 0;
};

}  // namespace

Result<void> TryOnce(const Bench& bench, const Limits& limits) {
  SideRuns sides[2];
  for (int i = 0; i < 2; ++i) {
    auto run = (i == 0 ? bench.before : bench.after)();
    if (!run) return tl::unexpected(run.error());
    sides[i].AddRun(*std::move(run));
  }
  const auto samples = CollectSamples(sides[0], sides[1]);
  if (!samples) return tl::unexpected(samples.error());
  for (const Goal& goal : limits.precision) {
    if (auto there = RequireMetric("precision", goal.metric, samples->samples); !there)
      return there;
  }
  for (const std::string& metric : limits.needed) {
    if (auto there = RequireMetric("fail-on", metric, samples->samples); !there) return there;
  }
  return {};
}

Result<Interleaved> RunInTurn(const Bench& bench, const Limits& limits) {
  return Interleaver(bench, limits).Run();
}

}  // namespace throughput
