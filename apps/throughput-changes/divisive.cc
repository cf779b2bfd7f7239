// Owns the energy statistic. Invariant: every sum and product runs in the order Apache Otava's do,
// so that of two splits with the same energy but for rounding (whole numbers make many) the same
// one wins. The library is therefore built without contraction to fused multiply-adds.
#include "apps/throughput-changes/divisive.h"

#include <cmath>

namespace throughput {

EnergySplitter::EnergySplitter(std::span<const double> window)
    : window_(window.begin(), window.end()), later_sums_(window.size() * (window.size() + 1), 0.0) {
  const size_t stride = window_.size() + 1;
  for (size_t t = 0; t < window_.size(); ++t) {
    double sum = 0;
    for (size_t j = t + 1; j < window_.size(); ++j) {
      sum += Distance(t, j);
      later_sums_[t * stride + j + 1] = sum;
    }
  }
}

double EnergySplitter::Distance(size_t i, size_t j) const {
  return std::abs(window_[i] - window_[j]);
}

std::vector<double> EnergySplitter::SumsWithinLeft(size_t begin, size_t end) const {
  std::vector<double> sums;
  sums.reserve(end - begin);
  double sum = 0;
  for (size_t tau = begin; tau < end; ++tau) {
    // Adds what tau - 1 is away from its elders. Those before `begin` are added and taken off again
    // for the order of rounding's sake.
    if (tau >= begin + 2) {
      double all = 0;
      for (size_t i = 0; i + 1 < tau; ++i) all += Distance(i, tau - 1);
      double outside = 0;
      for (size_t i = 0; i < begin; ++i) outside += Distance(i, tau - 1);
      sum += all - outside;
    }
    sums.push_back(sum);
  }
  return sums;
}

EnergySplitter::Split EnergySplitter::BestSplit(size_t begin, size_t end) const {
  const std::vector<double> within_left = SumsWithinLeft(begin, end);
  std::vector<double> within_right(end - begin);  // of [tau, kappa), at [tau - begin]
  Split best;
  for (size_t kappa = begin + 2; kappa <= end; ++kappa) {
    within_right[kappa - 1 - begin] = 0;
    for (size_t tau = kappa - 1; tau-- > begin + 1;) {
      within_right[tau - begin] = within_right[tau + 1 - begin] + LaterSum(tau, kappa);
    }
    double from_left = 0;  // distances of [begin, tau) to everything later, up to kappa
    for (size_t tau = begin + 1; tau < kappa; ++tau) {
      from_left += LaterSum(tau - 1, kappa);
      const auto left = static_cast<double>(tau - begin);
      const auto right = static_cast<double>(kappa - tau);
      const double both = left + right;
      double energy = 2 / both * (from_left - within_left[tau - begin]);
      if (left > 1) energy -= 2 * right / (both * (left - 1)) * within_left[tau - begin];
      if (right > 1) energy -= 2 * left / (both * (right - 1)) * within_right[tau - begin];
      if (energy > best.energy || (energy == best.energy && tau < best.index)) {
        best = {tau, energy};
      }
    }
  }
  return best;
}

}  // namespace throughput
