// The points of a series at which its level changes.
// Thread rule: a pure function.
// Source: Fleming et al., "Hunter: Using Change Point Detection to Hunt for Performance
// Regressions" (doi 10.1145/3578244.3583719), as Apache Otava 0.8.0 has it: E-divisive splits in
// sliding windows under Student's t-test at a relaxed significance, then merging of neighbours
// until every point that is left is significant and large enough.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "apps/throughput-changes/significance.h"

namespace throughput {

struct ChangePointOptions {
  size_t window = 50;         // points looked at together: 2 to 1000
  double max_pvalue = 0.001;  // a point's p-value lies below: above 0, at most 1
  double min_magnitude = 0;   // a point's LevelComparison::Magnitude lies above: at least 0
};

inline constexpr size_t kMinWindow = 2;
inline constexpr size_t kMaxWindow = 1000;

struct ChangePoint {
  size_t index = 0;  // first of the new level: at least 1
  // The levels on both sides. The one after may end before the next point: at a weaker one that
  // was merged away later. Its counts tell how many values the figures rest on.
  LevelComparison levels;
};

// In rising order. `series` is finite, oldest first, and may be empty; options are within range.
std::vector<ChangePoint> FindChangePoints(std::span<const double> series,
                                          const ChangePointOptions& options);

}  // namespace throughput
