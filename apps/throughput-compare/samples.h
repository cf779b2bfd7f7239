// The runs of two sides, sorted into figures that can be compared: for each metric of each test
// that both sides have, its values before and after.
// Thread rule: values and pure functions.
// Invariant: run i of a test before and run i after are neighbours in time where runs are made in
// turn.
#pragma once

#include <string>
#include <vector>

#include "apps/results/failure.h"
#include "apps/results/result_files.h"

namespace throughput {

// One test of a side: a cell of write-throughput.
struct TestRuns {
  std::string test;
  std::vector<std::vector<Metric>> runs;       // of each run, its repeats' medians
  std::vector<metrics::ResultRecord> records;  // of all, without their histograms and intervals
};

// What one side has shown so far. Tests stand in the order in which they were first seen.
struct SideRuns {
  std::vector<TestRuns> tests;

  // `results`: of one run of the side's command; several of one test are repeats.
  void AddRun(std::vector<ReadRun> results);
};

struct Sample {
  std::string test_before;
  std::string test_after;
  std::string metric;
  std::string unit;
  Better better = Better::kLower;
  std::vector<double> before;  // a value for each run
  std::vector<double> after;
};

struct Samples {
  std::vector<Sample> samples;     // at least one; test by test
  std::vector<std::string> notes;  // lines on what cannot be compared
  bool machines_differ = false;
};

// Tests of the same name belong together; where the names differ (another hasher, say), those at
// the same place, if their load is the same. A metric that not every run has is left out, with a
// note; so is, in one note, what tells the sides apart: settings, engine, build, file system.
// Refused: tests that do not match, counts of another scope, or a metric in different units.
Result<Samples> CollectSamples(const SideRuns& before, const SideRuns& after);

// Refused where no sample is of that metric: "--fail-on names 'foo': the runs have rows/s, p99"
Result<void> RequireMetric(const std::string& flag, const std::string& metric,
                           const std::vector<Sample>& samples);

}  // namespace throughput
