// Owns the order of the runs and when they end.
#include "apps/throughput-compare/interleaving.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
      if (!samples) return tl::unexpected(samples.error());
      result_.samples = *std::move(samples);
      ++blocks_;
      result_.runs = 2 * blocks_;
      if (auto known = CheckGoals(); !known) return tl::unexpected(known.error());
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
    if (failure.exit_code != kExitInterrupted || blocks_ == 0) return tl::unexpected(failure);
    result_.end = End::kInterrupted;
    return std::move(result_);
  }

  Result<void> CheckGoals() const {
    for (const Goal& goal : limits_.precision) {
      if (auto there = RequireMetric("precision", goal.metric); !there) return there;
    }
    for (const std::string& metric : limits_.needed) {
      if (auto there = RequireMetric("fail-on", metric); !there) return there;
    }
    return {};
  }

  Result<void> RequireMetric(const std::string& flag, const std::string& metric) const {
    const auto& samples = result_.samples.samples;
    if (HasMetric(samples, metric)) return {};
    return Refused(UnknownMetric(flag, metric, samples));
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
      text += fmt::format("{} +- {:.2g} %, ", goal.metric, widest);
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

Result<Interleaved> RunInTurn(const Bench& bench, const Limits& limits) {
  return Interleaver(bench, limits).Run();
}

}  // namespace throughput
