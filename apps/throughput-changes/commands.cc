// Owns the order of steps: everything is read and checked before anything is written.
#include "apps/throughput-changes/commands.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "apps/throughput-changes/analysis.h"
#include "apps/throughput-changes/export.h"
#include "apps/throughput-changes/files.h"
#include "apps/throughput-changes/history.h"
#include "apps/throughput-changes/run_of_record.h"
#include "apps/throughput-changes/series.h"
#include "apps/throughput-changes/text.h"
#include "metrics/result_record.h"

namespace throughput {
namespace {

constexpr std::chrono::seconds kLockPatience{10};

// A run to be recorded, and where it came from.
struct NewRun {
  RecordedRun run;
  std::string where;
};

// Reads result files and numbers the runs of each test.
class ResultReader {
 public:
  explicit ResultReader(const RecordOptions& options) : options_(options) {}

  Result<void> Read(const std::string& path) {
    const auto text = ReadFile(path);
    if (!text) return tl::unexpected(text.error());
    const auto lines = SplitLines(*text);
    if (lines.empty()) return Refused(Printable(path) + ": holds no result");
    for (size_t i = 0; i < lines.size(); ++i) {
      const std::string where = fmt::format("{} line {}", Printable(path), i + 1);
      if (auto added = Add(std::string(lines[i]), where); !added) return added;
    }
    return {};
  }

  std::vector<NewRun> Take() { return std::move(runs_); }

 private:
  Result<void> Add(const std::string& line, const std::string& where) {
    metrics::ResultRecord record;
    std::string error;
    if (!metrics::FromJson(line, record, error)) return Refused(where + ": " + error);
    const auto [earlier, is_new] = lines_.try_emplace(line, where);
    if (!is_new) return Refused(fmt::format("{}: the same run as {}", where, earlier->second));
    auto run = RunOfRecord(record);
    if (!run) return Refused(where + ": " + run.error().message);
    run->commit = options_.commit;
    run->time = options_.time;
    run->branch = options_.branch;
    run->repository = options_.repository;
    run->run = ++runs_of_test_[run->test];
    runs_.push_back({*std::move(run), where});
    return {};
  }

  const RecordOptions& options_;
  std::vector<NewRun> runs_;
  std::map<std::string, std::string> lines_;  // and where each was first seen
  std::map<std::string, int> runs_of_test_;
};

Result<std::vector<NewRun>> ReadResults(const RecordOptions& options) {
  ResultReader reader(options);
  for (const std::string& path : options.results) {
    if (auto read = reader.Read(path); !read) return tl::unexpected(read.error());
  }
  return reader.Take();
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
  const auto new_runs = ReadResults(options);
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
