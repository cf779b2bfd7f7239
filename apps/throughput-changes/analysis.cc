// Owns the verdict: which way is better is the metric's, whether it went there the means'.
#include "apps/throughput-changes/analysis.h"

#include <algorithm>

namespace throughput {
namespace {

void AddChanges(const Timeline& timeline, const TestSeries& test, const MetricSeries& series,
                Analysis& analysis) {
  for (const ChangePoint& point : FindChangePoints(series.values, analysis.options)) {
    Change change;
    change.test = test.name;
    change.metric = series.name;
    change.unit = series.unit;
    change.commit = series.commits[point.index];
    change.previous_commit = series.commits[point.index - 1];
    change.point = point;
    const bool rose = point.levels.mean_after > point.levels.mean_before;
    change.for_better = rose == (series.better == Better::kHigher);
    change.machine_changed =
        timeline.commits[change.commit].machine != timeline.commits[change.previous_commit].machine;
    analysis.changes.push_back(std::move(change));
  }
}

}  // namespace

Analysis Analyze(const Timeline& timeline, const ChangePointOptions& options) {
  Analysis analysis;
  analysis.options = options;
  analysis.commits = timeline.commits;
  analysis.tests = timeline.tests.size();
  for (const TestSeries& test : timeline.tests) {
    for (const MetricSeries& series : test.metrics) {
      ++analysis.metrics;
      if (series.values.size() < kFewestCommits) ++analysis.short_metrics;
      AddChanges(timeline, test, series, analysis);
    }
  }
  std::stable_sort(analysis.changes.begin(), analysis.changes.end(),
                   [](const Change& a, const Change& b) { return a.commit < b.commit; });
  return analysis;
}

size_t CountWorse(const Analysis& analysis, size_t commits) {
  const size_t first = analysis.commits.size() - std::min(commits, analysis.commits.size());
  return static_cast<size_t>(std::count_if(
      analysis.changes.begin(), analysis.changes.end(),
      [&](const Change& change) { return change.commit >= first && !change.for_better; }));
}

}  // namespace throughput
