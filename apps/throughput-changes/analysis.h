// The change points of every series of a timeline, with what a reader needs to judge them.
// Thread rule: values and a pure function.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/throughput-changes/change_points.h"
#include "apps/throughput-changes/series.h"

namespace throughput {

// Below this many commits on a side of a point, the report says how thin the ground is.
inline constexpr size_t kFewCommits = 5;
// Below this many commits no series can show a change: two say nothing about spread.
inline constexpr size_t kFewestCommits = 3;

struct Change {
  std::string test;
  std::string metric;
  std::string unit;
  size_t commit = 0;           // index into Analysis::commits: the first of the new level
  size_t previous_commit = 0;  // the last of the old level
  ChangePoint point;           // its index counts within the series
  bool for_better = false;
  bool machine_changed = false;  // between the two commits

  bool FewCommits() const {
    return point.levels.count_before < kFewCommits || point.levels.count_after < kFewCommits;
  }
};

struct Analysis {
  ChangePointOptions options;
  std::vector<Commit> commits;
  size_t tests = 0;
  size_t metrics = 0;           // series over all tests
  size_t short_metrics = 0;     // of these, with fewer than kFewestCommits
  std::vector<Change> changes;  // by commit, then in the timeline's order
};

Analysis Analyze(const Timeline& timeline, const ChangePointOptions& options);

// Changes for the worse among the newest `commits` commits.
size_t CountWorse(const Analysis& analysis, size_t commits);

}  // namespace throughput
