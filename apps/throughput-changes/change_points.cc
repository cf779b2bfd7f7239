// Owns the two steps, splitting and merging. Invariant: a list of points is sorted, without
// duplicates, and its levels are those between neighbouring points.
// A p-value may be NaN (two constant, equal levels): comparisons are written so that it never
// counts as significant, and so that it never displaces another point as the weakest.
#include "apps/throughput-changes/change_points.h"

#include <algorithm>
#include <optional>

#include "apps/throughput-changes/divisive.h"

namespace throughput {
namespace {

using Indices = std::vector<size_t>;

// The first step lets weaker points pass: what is weak in one window may be strong between the
// points that are left at the end.
double FirstStepPvalue(double max_pvalue) {
  if (max_pvalue < 0.05) return max_pvalue * 10;
  if (max_pvalue < 0.5) return max_pvalue * 2;
  return max_pvalue;
}

size_t LevelBegin(const Indices& points, size_t level) {
  return level == 0 ? 0 : points[level - 1];
}

size_t LevelEnd(const Indices& points, size_t level, size_t series_size) {
  return level == points.size() ? series_size : points[level];
}

LevelComparison CompareAround(std::span<const double> series, size_t begin, size_t index,
                              size_t end) {
  return CompareLevels(series.subspan(begin, index - begin), series.subspan(index, end - index));
}

struct Candidate {
  size_t begin = 0;  // the part it splits
  size_t end = 0;
  EnergySplitter::Split split;
};

std::optional<Candidate> BestCandidate(const EnergySplitter& splitter, const Indices& points,
                                       size_t window_size) {
  std::optional<Candidate> best;
  for (size_t level = 0; level <= points.size(); ++level) {
    const size_t begin = LevelBegin(points, level);
    const size_t end = LevelEnd(points, level, window_size);
    if (end - begin < 2) continue;
    const EnergySplitter::Split split = splitter.BestSplit(begin, end);
    if (!best || split.energy > best->split.energy) best = Candidate{begin, end, split};
  }
  return best;
}

// Splits until the best candidate left is not significant.
Indices SplitWindow(std::span<const double> window, double max_pvalue) {
  const EnergySplitter splitter(window);
  Indices points;
  while (const auto best = BestCandidate(splitter, points, window.size())) {
    const LevelComparison levels = CompareAround(window, best->begin, best->split.index, best->end);
    if (!(levels.pvalue <= max_pvalue)) break;
    points.insert(std::upper_bound(points.begin(), points.end(), best->split.index),
                  best->split.index);
  }
  return points;
}

// Windows overlap by half; one that found points is followed by one that begins at its last.
Indices SplitSeries(std::span<const double> series, size_t window, double max_pvalue) {
  Indices points;
  for (size_t start = 0; start < series.size();) {
    const size_t size = std::min(window, series.size() - start);
    size_t last = 0;
    for (const size_t index : SplitWindow(series.subspan(start, size), max_pvalue)) {
      last = start + index;
      points.push_back(last);
    }
    start = std::max(last, start + window / 2);
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

LevelComparison LevelsAt(std::span<const double> series, const std::vector<ChangePoint>& points,
                         size_t i) {
  const size_t begin = i == 0 ? 0 : points[i - 1].index;
  const size_t end = i + 1 == points.size() ? series.size() : points[i + 1].index;
  return CompareAround(series, begin, points[i].index, end);
}

std::optional<size_t> WeakestPoint(const std::vector<ChangePoint>& points,
                                   const ChangePointOptions& options) {
  const auto by_pvalue = std::max_element(
      points.begin(), points.end(),
      [](const auto& a, const auto& b) { return a.levels.pvalue < b.levels.pvalue; });
  if (!(by_pvalue->levels.pvalue < options.max_pvalue)) return by_pvalue - points.begin();
  const auto by_magnitude = std::min_element(
      points.begin(), points.end(),
      [](const auto& a, const auto& b) { return a.levels.Magnitude() < b.levels.Magnitude(); });
  if (!(by_magnitude->levels.Magnitude() > options.min_magnitude)) {
    return by_magnitude - points.begin();
  }
  return std::nullopt;
}

void Merge(std::span<const double> series, const ChangePointOptions& options,
           std::vector<ChangePoint>& points) {
  while (!points.empty()) {
    const auto weakest = WeakestPoint(points, options);
    if (!weakest) return;
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(*weakest));
    // The level before the right neighbour grew, so that one is compared anew, and the next with
    // it. The left neighbour keeps the shorter level it was found with. So does Otava, whose points
    // and figures ours are to equal.
    for (size_t i = *weakest; i < std::min(*weakest + 2, points.size()); ++i) {
      points[i].levels = LevelsAt(series, points, i);
    }
  }
}

}  // namespace

std::vector<ChangePoint> FindChangePoints(std::span<const double> series,
                                          const ChangePointOptions& options) {
  std::vector<ChangePoint> points;
  for (const size_t index :
       SplitSeries(series, options.window, FirstStepPvalue(options.max_pvalue))) {
    points.push_back({index, {}});
  }
  for (size_t i = 0; i < points.size(); ++i) points[i].levels = LevelsAt(series, points, i);
  Merge(series, options, points);
  return points;
}

}  // namespace throughput
