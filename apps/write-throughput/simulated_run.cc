#include "apps/write-throughput/simulated_run.h"

#include <errno.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "apps/write-throughput/cell_process.h"
#include "apps/write-throughput/database_path.h"
#include "apps/write-throughput/messages.h"
#include "apps/write-throughput/option_files.h"
#include "apps/write-throughput/secrets.h"
#include "metrics/callgrind_profile.h"
#include "metrics/text_file.h"

namespace throughput {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kDeadline(600);

// Empty: there is none on the PATH.
std::string FindValgrind() {
  const char* path = getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    const std::string candidate = std::string(rest.substr(0, colon)) + "/valgrind";
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return {};
}

// Where callgrind writes; gone with this object.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code error;
    std::string pattern = fs::temp_directory_path(error) / "write-throughput.XXXXXX";
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }  // empty: it could not be made

 private:
  std::string path_;
};

// Caches of one size everywhere, so that figures of two machines can be compared.
std::vector<std::string> Command(const std::string& valgrind, const std::string& folder,
                                 const std::vector<std::string>& words) {
  std::error_code error;
  const std::string program = fs::read_symlink("/proc/self/exe", error);
  std::vector<std::string> command = {valgrind,
                                      "--tool=callgrind",
                                      "--quiet",
                                      "--log-file=" + folder + "/log",
                                      "--callgrind-out-file=" + folder + "/profile",
                                      "--zero-before=write_throughput_window_opened",
                                      "--dump-before=write_throughput_window_closed",
                                      "--cache-sim=yes",
                                      "--branch-sim=yes",
                                      "--I1=32768,8,64",
                                      "--D1=32768,8,64",
                                      "--LL=8388608,16,64",
                                      program};
  command.insert(command.end(), words.begin() + 1, words.end());
  return command;
}

tl::unexpected<Failure> Failed(std::string text) {
  return tl::unexpected(Failure{"the second run: " + std::move(text)});
}

Expected<Simulated> ReadProfile(const std::string& folder, const metrics::ResultRecord& record) {
  const auto text = metrics::ReadTextFile(folder + "/profile.1");  // the part that the window ends
  if (!text) return Failed("callgrind wrote no profile of the window");
  const auto totals = metrics::ParseCallgrindProfile(*text);
  if (!totals) return Failed(totals.error());
  return Simulated{metrics::CallgrindReadings(*totals), record.rows, record.transactions, false};
}

}  // namespace

Options SimulatedOptions(const Options& options, const Cell& cell) {
  Options bounded = options;
  const int64_t rows = kMostSimulatedRows / cell.threads / cell.batch_size;
  const int64_t transactions = kMostSimulatedTransactions / cell.threads;
  const int64_t bound = std::max<int64_t>(1, std::min(rows, transactions));
  bounded.iterations = std::min(options.iterations.value_or(bound), bound);
  bounded.duration.reset();
  bounded.warmup = std::chrono::nanoseconds(0);
  bounded.interval.reset();
  bounded.verify = false;
  bounded.keep = false;
  bounded.counters = metrics::CounterMode::kNone;
  bounded.events.clear();
  bounded.per_thread = false;
  bounded.phases = false;
  bounded.database += ".callgrind";
  return bounded;
}

Expected<> CheckSimulation(const Options& options, const std::vector<Cell>& cells) {
  if (options.counters != metrics::CounterMode::kCallgrind) return {};
  for (const Cell& cell : cells) {
    if (!options.keep || cell.engine->within_process) continue;
    return tl::unexpected(Failure{FlagError("counters", "callgrind",
                                            "not together with --keep for " + cell.engine->name +
                                                ": the second run would take the rows' place")});
  }
  if (FindValgrind().empty()) {
    return tl::unexpected(Failure{FlagError(
        "counters", "callgrind", "needs the program valgrind: install the package valgrind")});
  }
  Options beside = options;
  beside.database = SimulatedOptions(options, cells.front()).database;
  return CheckPaths(beside, cells);
}

Expected<Simulated> RunSimulated(const RunPlan& plan, Interrupt& interrupt) {
  const Options options = SimulatedOptions(plan.options, plan.cell);
  const TargetInfo& engine = *plan.cell.engine;
  const std::string path = DatabasePath(options, plan.cell, plan.repeat);
  if (auto cleared = ClearDatabasePath(engine, path); !cleared) {
    return Failed(path + ": " + cleared.error().text);
  }
  const ScratchFolder folder;
  if (folder.path().empty()) return Failed("a temporary folder: " + ErrnoText(errno));
  const RunOutcome outcome =
      RunUnder(Command(FindValgrind(), folder.path(), Shown(plan.options.words)), kDeadline,
               {options, plan.cell, plan.repeat, plan.values}, interrupt);
  if (auto removed = RemoveDatabase(engine, path); !removed) {
    return Failed(path + ": " + removed.error().text);
  }
  if (outcome.failure) return Failed(*outcome.failure);
  if (outcome.interrupted || !outcome.record) return Simulated{{}, 0, 0, true};
  return ReadProfile(folder.path(), *outcome.record);
}

void AddSimulatedCounters(const Simulated& simulated, metrics::ResultRecord& record) {
  if (simulated.rows == 0) return;
  const bool whole = simulated.rows == record.rows;
  for (metrics::CounterReading reading : simulated.counters) {
    reading.value = std::round(reading.value * static_cast<double>(record.rows) /
                               static_cast<double>(simulated.rows));
    record.counters.push_back(std::move(reading));
  }
  if (!record.counters_note.empty()) record.counters_note += "; ";
  record.counters_note +=
      fmt::format("simulated by callgrind in a second run of {} transactions, user mode only{}",
                  simulated.transactions, whole ? "" : ", scaled to the rows of the first");
}

}  // namespace throughput
