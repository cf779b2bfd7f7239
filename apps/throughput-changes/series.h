// A history turned round: for every metric of every test its values over the commits.
// Thread rule: values and a pure function.
// Invariants: commits, and the commits of each series, in rising order; a series has one value per
// commit, the median of the commit's runs; a commit that lacks the metric is left out of its
// series.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/throughput-changes/history.h"

namespace throughput {

struct Commit {
  std::string id;
  int64_t time = 0;
  std::string machine;
};

struct MetricSeries {
  std::string name;
  std::string unit;
  Better better = Better::kLower;
  std::vector<size_t> commits;  // indices into Timeline::commits
  std::vector<double> values;   // one for each of `commits`
};

struct TestSeries {
  std::string name;
  std::vector<MetricSeries> metrics;
};

struct Timeline {
  std::string branch;
  std::string repository;
  std::vector<Commit> commits;
  std::vector<TestSeries> tests;
};

// Tests and metrics stand in the order in which they first appear. `runs` is a checked history,
// not empty.
Timeline TimelineOf(const std::vector<RecordedRun>& runs);

}  // namespace throughput
