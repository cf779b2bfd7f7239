// Owns the words and the layout of the reports.
#include "apps/throughput-changes/report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "apps/results/text.h"

namespace throughput {
namespace {

constexpr std::string_view kSeveralCommits =
    "A change needs several commits on either side to show: one in the newest commits may not show "
    "yet.";

std::string Headline(const Analysis& analysis) {
  return fmt::format("{} / {} & {}", Counted(analysis.changes.size(), "change"),
                     Counted(analysis.tests, "test"), Counted(analysis.metrics, "metric"));
}

std::vector<std::string> Notes(const Analysis& analysis) {
  std::vector<std::string> notes{std::string(kSeveralCommits)};
  size_t few = 0;
  bool machine_changed = false;
  for (const Change& change : analysis.changes) {
    few += change.FewCommits() ? 1 : 0;
    machine_changed |= change.machine_changed;
  }
  if (few > 0) {
    notes.push_back(
        fmt::format("{} with fewer than {} commits on a side may move or vanish as more "
                    "are recorded.",
                    Counted(few, "change"), kFewCommits));
  }
  if (analysis.short_metrics > 0) {
    notes.push_back(fmt::format("Too short to show a change, with fewer than {} commits: {} of {}.",
                                kFewestCommits, analysis.short_metrics,
                                Counted(analysis.metrics, "metric")));
  }
  if (machine_changed) {
    notes.emplace_back("Where the machine changed with the commit, it may be all that changed.");
  }
  return notes;
}

// No percentage leads away from nothing.
std::string Size(const Change& change) {
  if (change.point.levels.mean_before == 0) return "from 0";
  return fmt::format("{:+.2f} %", change.point.levels.ChangePercent());
}

std::string_view Verdict(const Change& change) { return change.for_better ? "better" : "worse"; }

std::string Levels(const Change& change) {
  return fmt::format("{} -> {} {}", FormatValue(change.point.levels.mean_before),
                     FormatValue(change.point.levels.mean_after), Printable(change.unit));
}

std::string Standing(const Change& change) {
  return fmt::format("{} before, {} after{}", Counted(change.point.levels.count_before, "commit"),
                     change.point.levels.count_after, change.FewCommits() ? " (few)" : "");
}

std::string TextReport(const Analysis& analysis) {
  std::string text =
      fmt::format("{} over {}, {} ({}) to {} ({})\n", Headline(analysis),
                  Counted(analysis.commits.size(), "commit"),
                  Printable(analysis.commits.front().id), FormatDay(analysis.commits.front().time),
                  Printable(analysis.commits.back().id), FormatDay(analysis.commits.back().time));
  const Change* above = nullptr;
  for (const Change& change : analysis.changes) {
    const bool new_commit = above == nullptr || above->commit != change.commit;
    if (new_commit) {
      const Commit& commit = analysis.commits[change.commit];
      text += fmt::format("\ncommit {} ({})\n", Printable(commit.id), FormatDay(commit.time));
    }
    if (new_commit || above->test != change.test) {
      text += fmt::format("  {}\n", Printable(change.test));
    }
    text += fmt::format("    {:<18} {:>10}  {:<6}  {}, {}; {}{}\n", Printable(change.metric),
                        Size(change), Verdict(change), Levels(change),
                        FormatPvalue(change.point.levels.pvalue), Standing(change),
                        change.machine_changed ? "; the machine changed, too" : "");
    above = &change;
  }
  text += '\n';
  for (const std::string& note : Notes(analysis)) text += note + '\n';
  return text;
}

std::string MarkdownReport(const Analysis& analysis) {
  std::string text = fmt::format("**{}** over {}\n\n", Headline(analysis),
                                 Counted(analysis.commits.size(), "commit"));
  if (!analysis.changes.empty()) {
    text +=
        "| commit | date | test | metric | change | verdict | level | significance | stands on |\n"
        "|---|---|---|---|---:|---|---|---|---|\n";
  }
  for (const Change& change : analysis.changes) {
    const Commit& commit = analysis.commits[change.commit];
    const std::string verdict =
        fmt::format("{}{}", Verdict(change), change.machine_changed ? ", machine changed" : "");
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", MarkdownCell(commit.id),
                    FormatDay(commit.time), MarkdownCell(change.test), MarkdownCell(change.metric),
                    Size(change), verdict, MarkdownCell(Levels(change)),
                    MarkdownCell(FormatPvalue(change.point.levels.pvalue)), Standing(change));
  }
  if (!analysis.changes.empty()) text += '\n';
  for (const std::string& note : Notes(analysis)) text += note + '\n';
  return text;
}

using Json = nlohmann::ordered_json;

Json ChangeToJson(const Analysis& analysis, const Change& change) {
  const LevelComparison& levels = change.point.levels;
  Json json;
  json["test"] = change.test;
  json["metric"] = change.metric;
  json["unit"] = change.unit;
  json["commit"] = analysis.commits[change.commit].id;
  json["time"] = analysis.commits[change.commit].time;
  json["previous_commit"] = analysis.commits[change.previous_commit].id;
  json["index"] = change.point.index;
  json["verdict"] = Verdict(change);
  json["change_percent"] = levels.mean_before == 0 ? Json() : Json(levels.ChangePercent());
  json["mean_before"] = levels.mean_before;
  json["mean_after"] = levels.mean_after;
  json["stddev_before"] = levels.stddev_before;
  json["stddev_after"] = levels.stddev_after;
  json["pvalue"] = levels.pvalue;
  json["commits_before"] = levels.count_before;
  json["commits_after"] = levels.count_after;
  json["few_commits"] = change.FewCommits();
  json["machine_changed"] = change.machine_changed;
  return json;
}

std::string JsonReport(const Analysis& analysis) {
  Json json;
  json["schema_version"] = kReportVersion;
  json["tests"] = analysis.tests;
  json["metrics"] = analysis.metrics;
  json["commits"] = analysis.commits.size();
  json["window"] = analysis.options.window;
  json["max_pvalue"] = analysis.options.max_pvalue;
  json["min_magnitude"] = analysis.options.min_magnitude;
  json["changes"] = Json::array();
  for (const Change& change : analysis.changes) {
    json["changes"].push_back(ChangeToJson(analysis, change));
  }
  json["notes"] = Notes(analysis);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string FormatReport(const Analysis& analysis, ReportFormat format) {
  switch (format) {
    case ReportFormat::kText:
      return TextReport(analysis);
    case ReportFormat::kJson:
      return JsonReport(analysis);
    case ReportFormat::kMarkdown:
      return MarkdownReport(analysis);
  }
  return {};
}

}  // namespace throughput
