// The Universal Scalability Law over a sweep of threads.
//   X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))
// N threads; X rows per second; lambda: of one thread; sigma: contention, the share of the work
// that waits in line; kappa: coherency, what every pair of threads costs each other. Source: N. J.
// Gunther, "A General Theory of Computational Scalability Based on Rational Functions" (2008),
// arXiv:0808.1431. Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace throughput {

// A run: threads and rows per second.
struct ScalingPoint {
  double threads = 0;  // 1 or more
  double rows_per_second = 0;
};

// A coefficient and half the width of its 95 % interval (Student's t over the residuals); none
// where it stands at its bound of 0.
struct Coefficient {
  double value = 0;
  std::optional<double> uncertainty;
};

struct ScalingFit {
  Coefficient lambda;  // rows/s
  Coefficient sigma;   // from 0 up
  Coefficient kappa;   // from 0 up
  double r_squared = 0;
  double relative_error = 0;  // root mean square of the residuals, as a share of the mean rows/s
  size_t runs = 0;
  size_t thread_counts = 0;  // different ones
  double most_threads = 0;   // measured

  double At(double threads) const;  // rows/s

  // Where the curve peaks, at least 1; none where it rises for ever (kappa is 0, sigma below 1).
  std::optional<double> PeakThreads() const;
};

inline constexpr size_t kLeastThreadCounts = 4;  // three coefficients and one to judge them by
inline constexpr size_t kGoodThreadCounts = 6;

// Least squares over all runs, neither sigma nor kappa below 0. Error, in one line: fewer than
// kLeastThreadCounts thread counts, nothing but zeros, or figures that the method does not settle
// on.
tl::expected<ScalingFit, std::string> FitScaling(const std::vector<ScalingPoint>& points);

// Runs that lie further off the curve than this share give no verdict.
inline constexpr double kTooFarOff = 0.25;

enum class Binding {
  kUnclear,     // the runs lie too far off the curve
  kNothing,     // at the most threads measured within 5 % of linear
  kContention,  // sigma costs more there than kappa
  kCoherency,
};

Binding BindingOf(const ScalingFit& fit);

// "contention binds: ...", then what limits trust in it; sentences. `cores` of the machine, 0 where
// unknown.
std::string ScalingFinding(const ScalingFit& fit, int cores);

}  // namespace throughput
