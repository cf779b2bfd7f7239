// Owns the matching of tests and metrics.
#include "apps/throughput-compare/samples.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "apps/results/settings.h"
#include "apps/results/text.h"
#include "metrics/statistics.h"

namespace throughput {
namespace {

TestRuns& FindOrAdd(std::vector<TestRuns>& tests, const std::string& name) {
  const auto found = std::find_if(tests.begin(), tests.end(),
                                  [&](const TestRuns& test) { return test.test == name; });
  if (found != tests.end()) return *found;
  tests.push_back({name, {}, {}});
  return tests.back();
}

const Metric* Find(const std::vector<Metric>& metrics, const std::string& name) {
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  return found == metrics.end() ? nullptr : &*found;
}

// The metrics that all repeats have, each as the median of its values.
std::vector<Metric> Medians(const std::vector<std::vector<Metric>>& repeats) {
  std::vector<Metric> medians;
  for (const Metric& first : repeats.front()) {
    std::vector<double> values;
    for (const std::vector<Metric>& repeat : repeats) {
      const Metric* metric = Find(repeat, first.name);
      if (metric != nullptr && metric->unit == first.unit) values.push_back(metric->value);
    }
    if (values.size() < repeats.size()) continue;
    medians.push_back(first);
    medians.back().value = metrics::Median(values);
  }
  return medians;
}

bool SameLoad(const TestRuns& before, const TestRuns& after) {
  const metrics::ResultRecord& a = before.records.front();
  const metrics::ResultRecord& b = after.records.front();
  return a.threads == b.threads && a.batch_size == b.batch_size && a.compute_us == b.compute_us;
}

std::string Names(const SideRuns& side) {
  std::vector<std::string> names;
  for (const TestRuns& test : side.tests) names.push_back(Printable(test.test));
  return fmt::format("{}", fmt::join(names, "; "));
}

using Match = std::pair<const TestRuns*, const TestRuns*>;

std::vector<Match> MatchByName(const SideRuns& before, const SideRuns& after) {
  std::vector<Match> matches;
  for (const TestRuns& test : before.tests) {
    const auto found = std::find_if(after.tests.begin(), after.tests.end(),
                                    [&](const TestRuns& other) { return other.test == test.test; });
    if (found != after.tests.end()) matches.emplace_back(&test, &*found);
  }
  return matches;
}

Result<std::vector<Match>> MatchTests(const SideRuns& before, const SideRuns& after) {
  std::vector<Match> matches;
  bool matching = before.tests.size() == after.tests.size();
  if (matching) {
    matches = MatchByName(before, after);
    if (matches.size() == before.tests.size()) return matches;
    matches.clear();
    for (size_t i = 0; i < before.tests.size(); ++i) {
      matches.emplace_back(&before.tests[i], &after.tests[i]);
      matching = matching && SameLoad(before.tests[i], after.tests[i]);
    }
  }
  if (matching) return matches;
  return Refused(fmt::format("the tests of the two sides do not match: before {}; after {}",
                             Names(before), Names(after)));
}

// The values of a metric over the runs; nothing where a run lacks it.
Result<std::optional<std::vector<double>>> ValuesOf(const TestRuns& test, const Metric& wanted) {
  std::vector<double> values;
  for (const std::vector<Metric>& run : test.runs) {
    const Metric* metric = Find(run, wanted.name);
    if (metric == nullptr) continue;
    if (metric->unit != wanted.unit) {
      return Refused(fmt::format("{}: {} is in '{}' here and in '{}' there", Printable(test.test),
                                 wanted.name, Printable(wanted.unit), Printable(metric->unit)));
    }
    values.push_back(metric->value);
  }
  if (values.size() < test.runs.size()) return std::optional<std::vector<double>>();
  return std::optional(std::move(values));
}

// In the order in which they are first seen.
std::vector<Metric> AllMetrics(const Match& match) {
  std::vector<Metric> all;
  for (const TestRuns* test : {match.first, match.second}) {
    for (const std::vector<Metric>& run : test->runs) {
      for (const Metric& metric : run) {
        if (Find(all, metric.name) == nullptr) all.push_back(metric);
      }
    }
  }
  return all;
}

Result<void> AddMetrics(const Match& match, Samples& collected) {
  std::vector<std::string> missing;
  for (const Metric& metric : AllMetrics(match)) {
    auto before = ValuesOf(*match.first, metric);
    if (!before) return tl::unexpected(before.error());
    auto after = ValuesOf(*match.second, metric);
    if (!after) return tl::unexpected(after.error());
    if (!*before || !*after) {
      missing.push_back(metric.name);
      continue;
    }
    collected.samples.push_back({match.first->test, match.second->test, metric.name, metric.unit,
                                 metric.better, **std::move(before), **std::move(after)});
  }
  if (!missing.empty()) {
    collected.notes.push_back(fmt::format("{}: not every run has {}", Printable(match.first->test),
                                          fmt::join(missing, ", ")));
  }
  return {};
}

// What tells the sides apart, each thing once however many tests have it.
std::vector<std::string> DifferencesIn(const std::vector<Match>& matches) {
  std::vector<std::string> all;
  for (const auto& [before, after] : matches) {
    const metrics::ResultRecord& a = before->records.front();
    const metrics::ResultRecord& b = after->records.front();
    for (const auto& differ :
         {DifferencesOf({{"system", a.system}}, {{"system", b.system}}),
          DifferencesOf(SettingsOf(a), SettingsOf(b)), DifferencesOf(BuildOf(a), BuildOf(b))}) {
      for (const std::string& difference : differ) {
        if (std::find(all.begin(), all.end(), difference) == all.end()) all.push_back(difference);
      }
    }
  }
  return all;
}

// Counts of a process and of its window are different things of the same name.
Result<void> CheckScopes(const std::vector<Match>& matches) {
  for (const auto& [before, after] : matches) {
    const std::string& a = before->records.front().scope;
    const std::string& b = after->records.front().scope;
    if (a == b) continue;
    return Refused(fmt::format(
        "the two sides of '{}' count different things: before --scope {}, after --scope {}",
        Printable(before->test), Printable(a), Printable(b)));
  }
  return {};
}

std::set<std::string> Machines(const SideRuns& side) {
  std::set<std::string> machines;
  for (const TestRuns& test : side.tests) {
    for (const metrics::ResultRecord& record : test.records) machines.insert(MachineName(record));
  }
  return machines;
}

}  // namespace

void SideRuns::AddRun(std::vector<ReadRun> results) {
  std::map<std::string, std::vector<std::vector<Metric>>> repeats;
  for (ReadRun& result : results) {
    const std::string name = TestName(result.record);
    repeats[name].push_back(std::move(result.metrics));
    result.record.commit_latency_ns = {};  // large, and of many runs too large to keep
    result.record.intervals = {};
    FindOrAdd(tests, name).records.push_back(std::move(result.record));
  }
  for (const auto& [name, metrics] : repeats)
    FindOrAdd(tests, name).runs.push_back(Medians(metrics));
}

Result<Samples> CollectSamples(const SideRuns& before, const SideRuns& after) {
  const auto matches = MatchTests(before, after);
  if (!matches) return tl::unexpected(matches.error());
  if (auto same = CheckScopes(*matches); !same) return tl::unexpected(same.error());
  Samples collected;
  for (const Match& match : *matches) {
    if (auto added = AddMetrics(match, collected); !added) return tl::unexpected(added.error());
  }
  if (const auto differences = DifferencesIn(*matches); !differences.empty()) {
    collected.notes.push_back(fmt::format("The sides differ in {}.", fmt::join(differences, "; ")));
  }
  const std::set<std::string> machines = Machines(before);
  collected.machines_differ = machines.size() > 1 || machines != Machines(after);
  if (collected.machines_differ) {
    collected.notes.push_back(
        "the runs come from different machines: the differences may be those of the machines");
  }
  return collected;
}

Result<void> RequireMetric(const std::string& flag, const std::string& metric,
                           const std::vector<Sample>& samples) {
  std::vector<std::string> names;
  for (const Sample& sample : samples) {
    if (sample.metric == metric) return {};
    if (sample.test_before == samples.front().test_before) names.push_back(sample.metric);
  }
  return Refused(fmt::format("--{} names '{}': the runs have {}", flag, Printable(metric),
                             fmt::join(names, ", ")));
}

}  // namespace throughput
