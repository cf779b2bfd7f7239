// Owns the order of steps: everything is read and checked before anything is written.
#include "apps/throughput-changes/commands.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "apps/results/files.h"
#include "apps/results/result_files.h"
#include "apps/results/text.h"
#include "apps/throughput-changes/analysis.h"
#include "apps/throughput-changes/export.h"
#include "apps/throughput-changes/history.h"
#include "apps/throughput-changes/report.h"
#include "apps/throughput-changes/series.h"

namespace throughput {
namespace {

constexpr std::chrono::seconds kLockPatience{10};

// A run to be recorded, and where it came from.
struct NewRun {
  RecordedRun run;
  std::string where;
};

// Repeats of a test are numbered in the order of the files.
Result<std::vector<NewRun>> NewRuns(const RecordOptions& options) {
  auto read = ReadResults(options.results);
  if (!read) return tl::unexpected(read.error());
  std::vector<NewRun> runs;
  std::map<std::string, int> runs_of_test;
  for (ReadRun& result : *read) {
    RecordedRun run;
    run.commit = options.commit;
    run.time = options.time;
    run.branch = options.branch;
    run.repository = options.repository;
    run.test = TestName(result.record);
    run.machine = MachineName(result.record);
    run.run = ++runs_of_test[run.test];
    run.metrics = std::move(result.metrics);
    runs.push_back({std::move(run), std::move(result.where)});
  }
  return runs;
}

Result<std::vector<RecordedRun>> ReadHistory(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) return tl::unexpected(text.error());
  HistoryChecker checker;
  return ParseHistory(*text, path, checker);
}

// The contents of the history with the new lines behind the old ones, which stay as they are.
Result<std::string> Extended(const RecordOptions& options, const std::vector<NewRun>& new_runs) {
  HistoryChecker checker;
  std::string contents;
  if (Exists(options.history)) {
    auto text = ReadFile(options.history);
    if (!text) return tl::unexpected(text.error());
    const auto runs = ParseHistory(*text, options.history, checker);
    if (!runs) return tl::unexpected(runs.error());
    contents = *std::move(text);
    if (contents.back() != '\n') contents += '\n';
  }
  for (const NewRun& added : new_runs) {
    if (auto fits = checker.Accept(added.run, added.where); !fits) {
      return tl::unexpected(fits.error());
    }
    contents += FormatRun(added.run) + '\n';
  }
  return contents;
}

}  // namespace

Result<Outcome> Record(const RecordOptions& options) {
  const auto new_runs = NewRuns(options);
  if (!new_runs) return tl::unexpected(new_runs.error());
  const auto lock = FolderLock::Around(options.history, kLockPatience);
  if (!lock) return tl::unexpected(lock.error());
  const auto contents = Extended(options, *new_runs);
  if (!contents) return tl::unexpected(contents.error());
  if (auto written = ReplaceFile(options.history, *contents); !written) {
    return tl::unexpected(written.error());
  }
  std::set<std::string> tests;
  for (const NewRun& added : *new_runs) tests.insert(added.run.test);
  return Outcome{
      {},
      fmt::format("recorded {} of {} at commit {} in {}", Counted(new_runs->size(), "run"),
                  Counted(tests.size(), "test"), options.commit, Printable(options.history))};
}

Result<Outcome> Report(const ReportOptions& options) {
  const auto runs = ReadHistory(options.history);
  if (!runs) return tl::unexpected(runs.error());
  const Timeline timeline = TimelineOf(*runs);
  if (timeline.commits.size() < 2) {
    return Refused(fmt::format("{}: holds one commit, and a change needs several to show",
                               Printable(options.history)));
  }
  const Analysis analysis = Analyze(timeline, options.change_points);
  Outcome outcome;
  outcome.output = FormatReport(analysis, options.format);
  if (options.fail_on_worse > 0) {
    if (const size_t worse = CountWorse(analysis, options.fail_on_worse); worse > 0) {
      outcome.message =
          fmt::format("{} for the worse within the newest {}", Counted(worse, "change"),
                      Counted(options.fail_on_worse, "commit"));
      outcome.exit_code = kExitWorse;
    }
  }
  return outcome;
}

Result<Outcome> Export(const ExportOptions& options) {
  const auto runs = ReadHistory(options.history);
  if (!runs) return tl::unexpected(runs.error());
  for (const std::string& folder : {options.otava_folder, options.nyrkio_folder}) {
    if (folder.empty()) continue;
    if (auto fits = CheckNewFolder(folder); !fits) return tl::unexpected(fits.error());
  }
  const Timeline timeline = TimelineOf(*runs);
  if (!options.otava_folder.empty()) {
    auto written = WriteNewFolder(options.otava_folder, OtavaFiles(timeline));
    if (!written) return tl::unexpected(written.error());
  }
  if (!options.nyrkio_folder.empty()) {
    auto written = WriteNewFolder(options.nyrkio_folder, NyrkioFiles(timeline));
    if (!written) return tl::unexpected(written.error());
  }
  return Outcome{{},
                 fmt::format("exported {} over {}", Counted(timeline.tests.size(), "test"),
                             Counted(timeline.commits.size(), "commit"))};
}

}  // namespace throughput
