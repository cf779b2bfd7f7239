// Owns Otava's files. A name in YAML is written as a JSON string, which YAML reads as it stands.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "apps/results/text.h"
#include "apps/throughput-changes/export.h"

namespace throughput {
namespace {

// Series of one test that have values at the same commits.
struct Table {
  std::string test;
  std::string file;
  std::vector<const MetricSeries*> series;
};

std::vector<Table> TablesOf(const Timeline& timeline) {
  std::vector<Table> tables;
  for (const TestSeries& test : timeline.tests) {
    const size_t first = tables.size();
    for (const MetricSeries& series : test.metrics) {
      size_t i = first;
      while (i < tables.size() && tables[i].series.front()->commits != series.commits) ++i;
      if (i == tables.size()) {
        const std::string name = i == first ? test.name : test.name + " " + series.name;
        tables.push_back({name, fmt::format("{:03}-{}.csv", i + 1, Slug(name)), {}});
      }
      tables[i].series.push_back(&series);
    }
  }
  return tables;
}

std::string CsvField(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string Csv(const Timeline& timeline, const Table& table) {
  std::string csv = "time,commit";
  for (const MetricSeries* series : table.series) csv += "," + CsvField(series->name);
  csv += '\n';
  const std::vector<size_t>& commits = table.series.front()->commits;
  for (size_t row = 0; row < commits.size(); ++row) {
    const Commit& commit = timeline.commits[commits[row]];
    csv += FormatInstant(commit.time) + "," + CsvField(commit.id);
    for (const MetricSeries* series : table.series) csv += fmt::format(",{}", series->values[row]);
    csv += '\n';
  }
  return csv;
}

std::string Quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string Yaml(const std::vector<Table>& tables) {
  std::string yaml =
      "# Run Otava in this folder; it looks at the last year unless --since says otherwise:\n"
      "#   otava analyze --config-file otava.yaml --since 2000-01-01 TEST\n"
      "tests:\n";
  for (const Table& table : tables) {
    yaml += fmt::format(
        "  {}:\n"
        "    type: csv\n"
        "    file: {}\n"
        "    time_column: time\n"
        "    attributes: [commit]\n"
        "    metrics:\n",
        Quoted(table.test), Quoted(table.file));
    for (const MetricSeries* series : table.series) {
      yaml += fmt::format("      {}:\n        column: {}\n        direction: {}\n",
                          Quoted(series->name), Quoted(series->name),
                          series->better == Better::kHigher ? 1 : -1);
    }
  }
  return yaml;
}

}  // namespace

std::vector<NamedFile> OtavaFiles(const Timeline& timeline) {
  const std::vector<Table> tables = TablesOf(timeline);
  std::vector<NamedFile> files{{"otava.yaml", Yaml(tables)}};
  for (const Table& table : tables) files.push_back({table.file, Csv(timeline, table)});
  return files;
}

}  // namespace throughput
