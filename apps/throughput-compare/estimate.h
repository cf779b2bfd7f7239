// How far two sets of figures lie apart, and how sure that is.
//
// The test is Student's, on logarithms, so that a change is a ratio and a slow tail weighs less:
// * Paired (runs made in turn, A B B A): on the log ratio of each run to its neighbour. What drifts
//   hits both of a pair; which of them is first alternates, so a steady drift cancels in the mean,
//   and a pair's ratio is symmetric about no change when nothing changed, however heavy the tails:
//   then the test errs on the side of silence.
// * Not paired (recorded earlier): Welch's, with Satterthwaite's degrees of freedom.
// Figures that are not all above zero are taken as they are, as shares of the mean before.
//
// Exact counts have no spread at all, and then any difference would be certain. But a figure that
// repeats to the last digit still hangs on conditions that all runs of a side shared (where the
// loader put things, which files were there), so a run is taken to be no better known than to
// kResolution of itself.
// Source: Welch, "The generalization of Student's problem when several different population
// variances are involved", Biometrika 34 (1947). Distributions are Boost.Math's.
// Thread rule: a pure function.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace throughput {

inline constexpr double kResolution = 1e-4;  // standard deviation, as a share of the figure
inline constexpr double kPower = 0.9;        // with which `smallest_percent` would have been seen

struct Estimate {
  size_t runs_before = 0;
  size_t runs_after = 0;
  double before = 0;  // geometric mean; arithmetic where a figure is not above zero
  double after = 0;
  // (after - before) / before with its interval, and the smallest change that would have been
  // seen nine times in ten; all in per cent, absent where `before` is 0. The latter three are
  // infinite where the runs set no bound (too few of them, or too far apart).
  std::optional<double> change_percent;
  std::optional<double> low_percent;
  std::optional<double> high_percent;
  std::optional<double> smallest_percent;
  double pvalue = 1;  // two-sided
};

// Both sides have at least two finite values, as many as the other where `paired`. `level`: of the
// interval, as what it misses: 0.01 for 99 %.
Estimate EstimateChange(std::span<const double> before, std::span<const double> after, bool paired,
                        double level);

}  // namespace throughput
