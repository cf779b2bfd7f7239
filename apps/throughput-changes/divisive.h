// E-divisive splitting of one window: the place where two neighbouring parts of it differ most.
// Thread rule: immutable once built, so shared freely.
// Source: Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of
// Multivariate Data" (doi 10.1080/01621459.2013.849605), with the exponent 1 (absolute differences)
// and exact within-part means, as Apache Otava 0.8.0 has it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace throughput {

class EnergySplitter {
 public:
  struct Split {
    size_t index = 0;    // first of the new level, within the window
    double energy = -1;  // at least 0 for a split that was found
  };

  // Takes O(n * n) time and memory. `window` need not outlive the constructor.
  explicit EnergySplitter(std::span<const double> window);

  // Over all begin < tau < kappa <= end, the tau with the most energy between [begin, tau) and
  // [tau, kappa); the smallest of equals. Needs end - begin >= 2.
  Split BestSplit(size_t begin, size_t end) const;

 private:
  double Distance(size_t i, size_t j) const;
  // Distances of t to t + 1 .. kappa - 1, added up.
  double LaterSum(size_t t, size_t kappa) const {
    return later_sums_[t * (window_.size() + 1) + kappa];
  }
  // For each tau in [begin, end): distances within [begin, tau) added up, at [tau - begin].
  std::vector<double> SumsWithinLeft(size_t begin, size_t end) const;

  std::vector<double> window_;
  std::vector<double> later_sums_;  // (n rows t) * (n + 1 columns kappa)
};

}  // namespace throughput
