#include "apps/write-throughput/sweep.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "apps/write-throughput/build_info.h"
#include "apps/write-throughput/cell_process.h"
#include "apps/write-throughput/database_path.h"
#include "apps/write-throughput/disk_limit.h"
#include "apps/write-throughput/durability.h"
#include "apps/write-throughput/program.h"
#include "apps/write-throughput/report/text.h"
#include "apps/write-throughput/simulated_run.h"
#include "metrics/environment.h"

namespace throughput {

Sweep::Sweep(const Options& options, const std::vector<Cell>& cells, const Values& values,
             Interrupt& interrupt, Report& report)
    : options_(options),
      cells_(cells),
      values_(values),
      interrupt_(interrupt),
      report_(report),
      progress_(STDERR_FILENO),
      show_progress_(!options.report.quiet && isatty(STDERR_FILENO) == 1) {}

int Sweep::Run(const std::vector<PlannedRun>& plan, std::vector<metrics::ResultRecord> earlier) {
  for (metrics::ResultRecord& record : earlier) {
    runs_of_cell_[record.cell].push_back(std::move(record));
  }
  for (const PlannedRun& run : plan) ++runs_left_[run.cell];
  position_.runs = plan.size();
  for (const PlannedRun& run : plan) {
    RunNext(run);
    if (Stopped()) break;
  }
  if (const auto finished = report_.Finish(); !finished) {
    Say(finished.error());
    failed_ = true;
  }
  if (interrupted_) return kExitInterrupted;
  return failed_ ? kExitFailed : kExitDone;
}

void Sweep::RunNext(const PlannedRun& run) {
  const Cell& cell = cells_[run.cell - 1];
  const Clock::time_point started = Clock::now();
  ++position_.run;
  auto record = RunRepeat(cell, run.repeat);
  position_.spent += Clock::now() - started;
  if (record) {
    report_failed_ = !report_.Run(*record);
    runs_of_cell_[run.cell].push_back(*std::move(record));
  }
  if (--runs_left_[run.cell] == 0 || Stopped()) Summarize(cell);
}

// In the order of the runs' numbers, whatever that of the runs was.
void Sweep::Summarize(const Cell& cell) {
  std::vector<metrics::ResultRecord> runs = std::move(runs_of_cell_[cell.number]);
  runs_of_cell_.erase(cell.number);
  if (runs.empty()) return;
  std::sort(runs.begin(), runs.end(),
            [](const auto& a, const auto& b) { return a.repeat < b.repeat; });
  if (!report_.Cell(runs, CellArguments(options_, cell))) report_failed_ = true;
}

std::optional<metrics::ResultRecord> Sweep::RunRepeat(const Cell& cell, int repeat) {
  const std::string path = DatabasePath(options_, cell, repeat);
  if (const auto cleared = ClearDatabasePath(*cell.engine, path); !cleared) {
    Fail(cell, repeat, fmt::format("{}: {}", path, cleared.error().text));
    return std::nullopt;
  }
  double limit = 0;
  if (options_.compare_limit && HasDiskLimit(*cell.engine)) {
    const auto measured = MeasureDiskLimit({options_, cell, repeat, values_}, path, interrupt_);
    interrupted_ = measured && measured->interrupted;
    if (!measured) Fail(cell, repeat, "--compare-limit: " + measured.error().text);
    if (!measured || interrupted_) return std::nullopt;
    limit = measured->rows_per_second;
  }
  std::function<void(const LoadSample&)> progress;
  if (show_progress_) {
    progress = [&](const LoadSample& sample) {
      progress_.Show(ProgressText(options_, cell, position_, sample));
    };
  }
  RunOutcome outcome = RunInProcess({options_, cell, repeat, values_}, interrupt_, progress);
  progress_.Clear();
  interrupted_ = outcome.interrupted || interrupted_;
  if (outcome.record) {
    Complete(*outcome.record, cell, path);
    outcome.record->limit_rows_per_second = limit;
    TellDurability(*outcome.record, cell);
  }
  if (outcome.record && options_.counters == metrics::CounterMode::kCallgrind && !Stopped()) {
    AddSimulated(*outcome.record, cell, repeat);
  }
  if (!options_.keep) {
    const auto removed = RemoveDatabase(*cell.engine, path);
    if (!removed) Fail(cell, repeat, fmt::format("{}: {}", path, removed.error().text));
  }
  if (outcome.failure) Fail(cell, repeat, *outcome.failure);
  return std::move(outcome.record);
}

void Sweep::AddSimulated(metrics::ResultRecord& record, const Cell& cell, int repeat) {
  const auto simulated = RunSimulated({options_, cell, repeat, values_}, interrupt_);
  if (!simulated) {
    Fail(cell, repeat, "--counters callgrind: " + simulated.error().text);
    return;
  }
  interrupted_ = simulated->interrupted || interrupted_;
  AddSimulatedCounters(*simulated, record);
}

// What the cell's process need not know.
void Sweep::Complete(metrics::ResultRecord& record, const Cell& cell, const std::string& path) {
  record.environment = metrics::CollectEnvironment(cell.engine->has_files ? path : ".");
  record.environment.commit = BuildCommit();
  record.environment.build_type = BuildType();
  record.environment.arguments = CellArguments(options_, cell);
  for (auto& library : BuildLibraries()) record.environment.libraries.push_back(std::move(library));
  JudgeDurability(*cell.engine, metrics::BlockDevice::Of(path), record);
}

// An engine that is shown not to do what it claims has failed, whatever its rate.
void Sweep::TellDurability(const metrics::ResultRecord& record, const Cell& cell) {
  if (record.durability == kDurabilityRefuted) {
    Fail(cell, record.repeat, record.durability_note);
  } else if (record.durability == kDurabilityUnclear && !options_.report.quiet) {
    Say("warning: " + record.durability_note);
  }
}

void Sweep::Say(std::string_view text) {
  progress_.Clear();
  OutputStream(STDERR_FILENO, "stderr").Write(fmt::format("write-throughput: {}\n", text));
}

void Sweep::Fail(const Cell& cell, int repeat, std::string_view text) {
  failed_ = true;
  std::string where;
  if (cells_.size() > 1) {
    where = fmt::format("cell {} ({}, {}, {}-t {} -b {} --compute {}): ", cell.number,
                        cell.engine->name, ModeName(cell.mode),
                        cell.hasher.empty() ? "" : cell.hasher + ", ", cell.threads,
                        cell.batch_size, cell.compute_us);
  }
  if (options_.repeats > 1) where += fmt::format("run {}: ", repeat);
  Say(where + PrintableLine(text));
}

}  // namespace throughput
