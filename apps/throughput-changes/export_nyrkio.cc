// Owns Nyrkiö's format; export_otava.cc owns Otava's.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/results/text.h"
#include "apps/throughput-changes/export.h"

namespace throughput {
namespace {

using Json = nlohmann::ordered_json;

Json NyrkioResults(const Timeline& timeline, const TestSeries& test) {
  std::vector<Json> metrics(timeline.commits.size());  // by commit; null where it has none
  for (const MetricSeries& series : test.metrics) {
    for (size_t i = 0; i < series.values.size(); ++i) {
      metrics[series.commits[i]].push_back(
          {{"name", series.name}, {"unit", series.unit}, {"value", series.values[i]}});
    }
  }
  Json results = Json::array();
  for (size_t i = 0; i < timeline.commits.size(); ++i) {
    if (metrics[i].is_null()) continue;
    results.push_back({{"timestamp", timeline.commits[i].time},
                       {"metrics", metrics[i]},
                       {"attributes",
                        {{"git_repo", timeline.repository},
                         {"branch", timeline.branch},
                         {"git_commit", timeline.commits[i].id}}}});
  }
  return results;
}

}  // namespace

std::vector<NamedFile> NyrkioFiles(const Timeline& timeline) {
  std::vector<NamedFile> files;
  for (const TestSeries& test : timeline.tests) {
    files.push_back(
        {fmt::format("{:03}-{}.json", files.size() + 1, Slug(test.name)),
         NyrkioResults(timeline, test).dump(2, ' ', false, Json::error_handler_t::replace) + '\n'});
  }
  return files;
}

}  // namespace throughput
