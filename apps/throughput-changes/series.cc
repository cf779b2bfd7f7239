// Owns the grouping. The median stands for a commit, as one run that the machine disturbed does not
// move it. Of an even number of runs it is the mean of the two in the middle.
#include "apps/throughput-changes/series.h"

#include <map>

#include "metrics/statistics.h"

namespace throughput {
namespace {

template <typename Named>
Named& FindOrAdd(std::vector<Named>& all, std::map<std::string, size_t>& index,
                 const std::string& name) {
  const auto [found, is_new] = index.try_emplace(name, all.size());
  if (is_new) all.emplace_back().name = name;
  return all[found->second];
}

// Collects the runs of one commit and hands them on as one value for each metric.
class CommitCollector {
 public:
  explicit CommitCollector(Timeline& timeline) : timeline_(timeline) {}

  void Add(const RecordedRun& run) {
    TestSeries& test = FindOrAdd(timeline_.tests, test_index_, run.test);
    const size_t test_number = test_index_.at(run.test);
    for (const Metric& metric : run.metrics) {
      MetricSeries& series = FindOrAdd(test.metrics, metric_index_[run.test], metric.name);
      series.unit = metric.unit;
      series.better = metric.better;
      const auto series_number = static_cast<size_t>(&series - test.metrics.data());
      values_[{test_number, series_number}].push_back(metric.value);
    }
  }

  void Finish() {
    for (auto& [place, values] : values_) {
      MetricSeries& series = timeline_.tests[place.first].metrics[place.second];
      series.commits.push_back(timeline_.commits.size() - 1);
      series.values.push_back(metrics::Median(values));
    }
    values_.clear();
  }

 private:
  Timeline& timeline_;
  std::map<std::string, size_t> test_index_;
  std::map<std::string, std::map<std::string, size_t>> metric_index_;  // by test
  std::map<std::pair<size_t, size_t>, std::vector<double>> values_;    // by test and metric
};

}  // namespace

Timeline TimelineOf(const std::vector<RecordedRun>& runs) {
  Timeline timeline;
  timeline.branch = runs.front().branch;
  timeline.repository = runs.front().repository;
  CommitCollector collector(timeline);
  for (const RecordedRun& run : runs) {
    if (timeline.commits.empty() || timeline.commits.back().id != run.commit) {
      collector.Finish();
      timeline.commits.push_back({run.commit, run.time, run.machine});
    }
    collector.Add(run);
  }
  collector.Finish();
  return timeline;
}

}  // namespace throughput
