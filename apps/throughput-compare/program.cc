// Owns the exit code.
#include "apps/throughput-compare/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/results/text.h"
#include "apps/throughput-compare/report.h"

namespace throughput {
namespace {

// A change that no percentage can express, from nothing to something, breaks every rule.
bool Breaks(const Goal& rule, const Judged& judged) {
  if (judged.verdict != Verdict::kWorse) return false;
  const auto change = judged.estimate.change_percent;
  return !change || std::abs(*change) >= rule.percent;
}

// What was not seen is no answer where the rule asks for less than could have been seen.
bool Undecided(const Goal& rule, const Judged& judged) {
  if (judged.verdict == Verdict::kNotEnoughRuns) return true;
  return judged.verdict == Verdict::kNoDifference &&
         judged.estimate.smallest_percent.value_or(0) > rule.percent;
}

}  // namespace

Outcome ApplyFailOn(const std::vector<Goal>& rules, const std::vector<Judged>& judged) {
  Outcome outcome;
  for (const Goal& rule : rules) {
    for (const Judged& each : judged) {
      if (each.sample.metric != rule.metric) continue;
      if (Breaks(rule, each)) {
        const auto change = each.estimate.change_percent;
        return {{},
                fmt::format("{} is worse by {}, and --fail-on allows less than {:g} %", rule.metric,
                            change ? fmt::format("{:.2f} %", std::abs(*change)) : "a step from 0",
                            rule.percent),
                kExitWorse};
      }
      if (!Undecided(rule, each) || outcome.exit_code != 0) continue;
      outcome.message =
          fmt::format("--fail-on {}:{:g}%: not enough runs to tell", rule.metric, rule.percent);
      outcome.exit_code = kExitFailed;
    }
  }
  return outcome;
}

Result<Outcome> Compare(const CompareOptions& options,
                        const std::function<void(const std::string&)>& progress) {
  const auto comparison = Collect(options, progress);
  if (!comparison) return tl::unexpected(comparison.error());
  Outcome outcome = ApplyFailOn(options.fail_on, comparison->finding.judged);
  if (comparison->finding.end == End::kInterrupted) outcome = {{}, "interrupted", kExitInterrupted};
  outcome.output = FormatReport(*comparison, options);
  return outcome;
}

}  // namespace throughput
