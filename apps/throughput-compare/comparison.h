// The verdict on every metric. Over all metrics of all tests together, the chance of calling any
// difference where there is none is at most kFamilyLevel (Bonferroni: each metric is judged at that
// level divided by their number; the intervals are as wide as that asks, so that a verdict and its
// interval always agree).
// Thread rule: values and pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/throughput-compare/estimate.h"
#include "apps/throughput-compare/samples.h"

namespace throughput {

inline constexpr double kFamilyLevel = 0.01;
// Fewer runs of a side say nothing about its spread.
inline constexpr size_t kFewestRuns = 4;
// Where a change that large could have gone unseen, nothing has been learned.
inline constexpr double kUselessPercent = 100;

enum class Verdict { kBetter, kWorse, kNoDifference, kNotEnoughRuns };

struct Judged {
  Sample sample;
  Estimate estimate;
  Verdict verdict = Verdict::kNotEnoughRuns;
};

// One for each sample, in order. Every sample has two values a side or more.
std::vector<Judged> JudgeAll(const std::vector<Sample>& samples, bool paired);

// Half the width of the interval, in per cent: as far as its farther end is from the change.
// Nothing where there is no interval.
std::optional<double> HalfWidth(const Estimate& estimate);

}  // namespace throughput
