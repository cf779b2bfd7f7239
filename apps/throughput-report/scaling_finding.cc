// Owns how a fit is put into words, and which doubts go with it.
#include <fmt/format.h>

#include "apps/throughput-report/html.h"
#include "apps/throughput-report/scaling_law.h"

namespace throughput {
namespace {

constexpr double kNearlyLinear = 0.05;

struct Losses {
  double contention = 0;  // in units of one thread's work
  double coherency = 0;
};

Losses LossesAt(const ScalingFit& fit, double threads) {
  return {fit.sigma.value * (threads - 1), fit.kappa.value * threads * (threads - 1)};
}

bool Uncertain(const Coefficient& coefficient) {
  return coefficient.uncertainty && *coefficient.uncertainty >= coefficient.value;
}

std::string WhatBinds(const ScalingFit& fit) {
  switch (BindingOf(fit)) {
    case Binding::kUnclear:
      return fmt::format("no verdict: the runs lie {:.0f} % off the fitted curve (rms).",
                         100 * fit.relative_error);
    case Binding::kNothing:
      return fmt::format("nothing binds up to {:.0f} threads: it stays within 5 % of linear.",
                         fit.most_threads);
    case Binding::kContention:
      return fmt::format(
          "contention binds: {:.1f} % of the work waits in line, so no number of threads brings "
          "more than {} rows/s.",
          100 * fit.sigma.value, FigureText(fit.lambda.value / fit.sigma.value));
    case Binding::kCoherency:
      return fmt::format(
          "coherency binds: every further thread costs the others, {:.3g} of one thread's work for "
          "each pair.",
          fit.kappa.value);
  }
  return {};
}

std::string PeakText(const ScalingFit& fit) {
  const auto peak = fit.PeakThreads();
  if (!peak) return "No peak: more threads never cost throughput in this law.";
  std::string text =
      fmt::format("Peak: {} rows/s at {:.1f} threads", FigureText(fit.At(*peak)), *peak);
  if (*peak > fit.most_threads) {
    text +=
        fmt::format(", beyond the {:.0f} that were measured: an extrapolation", fit.most_threads);
  }
  return text + ".";
}

std::string Doubts(const ScalingFit& fit, int cores) {
  std::string text;
  if (fit.thread_counts < kGoodThreadCounts) {
    text += fmt::format(" Few points: {} thread counts, where {} or more make figures to rely on.",
                        fit.thread_counts, kGoodThreadCounts);
  }
  const Binding binding = BindingOf(fit);
  if ((binding == Binding::kContention && Uncertain(fit.sigma)) ||
      (binding == Binding::kCoherency && Uncertain(fit.kappa))) {
    text += " Not certain: the interval of that coefficient reaches 0.";
  }
  if (cores > 0 && fit.most_threads > cores) {
    text += fmt::format(" Above {} threads they share cores, which the law takes for contention.",
                        cores);
  }
  return text;
}

}  // namespace

Binding BindingOf(const ScalingFit& fit) {
  if (fit.relative_error > kTooFarOff) return Binding::kUnclear;
  const Losses losses = LossesAt(fit, fit.most_threads);
  if (losses.contention + losses.coherency < kNearlyLinear) return Binding::kNothing;
  return losses.contention >= losses.coherency ? Binding::kContention : Binding::kCoherency;
}

std::string ScalingFinding(const ScalingFit& fit, int cores) {
  if (BindingOf(fit) == Binding::kUnclear) return WhatBinds(fit) + Doubts(fit, cores);
  return WhatBinds(fit) + " " + PeakText(fit) + Doubts(fit, cores);
}

}  // namespace throughput
