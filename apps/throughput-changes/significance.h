// Two levels of a series compared: means, spreads, and how likely so large a difference is by
// chance. Thread rule: pure functions. Source: Student's two-sided t-test with pooled variance, as
// Fleming et al. ("Hunter", doi 10.1145/3578244.3583719) and Apache Otava 0.8.0 apply it: with the
// population standard deviation (divided by n, not n - 1).
#pragma once

#include <cstddef>
#include <span>

namespace throughput {

struct LevelComparison {
  size_t count_before = 0;  // values
  size_t count_after = 0;
  double mean_before = 0;
  double mean_after = 0;
  double stddev_before = 0;  // population
  double stddev_after = 0;
  double pvalue = 1;  // 0 to 1; NaN when both levels are constant and equal (0 / 0)

  // (after - before) / before in percent; 0 where `before` is 0, which no percentage can express.
  double ChangePercent() const;
  // The larger of the relative changes forward and backward, as a ratio: at least 0.
  double Magnitude() const;
};

// Both sides hold at least one finite value. One value a side says nothing: pvalue is 1.
LevelComparison CompareLevels(std::span<const double> before, std::span<const double> after);

}  // namespace throughput
