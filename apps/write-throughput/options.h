// What the user asked for: the command line as typed values, checked as far as that goes without
// touching a file (option_files.h does the rest).
// Thread rule: values; parsing happens before the program has threads.
// Invariant: every error is one line that names the flag, its value and what is allowed.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/write-throughput/compute.h"
#include "apps/write-throughput/numbers.h"
#include "apps/write-throughput/ranges.h"
#include "apps/write-throughput/report/report.h"
#include "apps/write-throughput/targets/target.h"
#include "metrics/counter_selection.h"
#include "metrics/events.h"

namespace throughput {

inline constexpr int64_t kMostRuns = 100'000;

// Stands in --database for the number of the cell.
inline constexpr std::string_view kCellPlaceholder = "{cell}";

enum class Action { kRun, kHelp, kVersion, kListEngines, kListEvents, kDoctor };
enum class Scope { kRun, kProcess };

// Of the runs of a sweep.
struct Order {
  bool random = false;
  std::optional<int64_t> seed;  // absent: a new one each time
};

struct Options {
  Action action = Action::kRun;
  std::string event_word;          // of --list-events
  std::vector<std::string> words;  // the command line, normalized, program name first

  // the sweep: a cell for every combination
  std::vector<int> threads{1};
  std::vector<int64_t> batch_sizes{100};  // rows per transaction
  std::vector<int64_t> compute_us{0};
  std::vector<Mode> modes{Mode::kLegacy};
  bool mode_given = false;  // else an engine without the default takes its best one
  bool best_mode = false;   // every engine takes its best one
  std::vector<const TargetInfo*> engines;
  std::vector<std::shared_ptr<const TargetInfo>> own_engines;  // those beyond the table of targets
  std::vector<std::string> hashers{"fx"};
  int repeats = 1;
  Order order;
  bool resume = false;  // only what is missing in report.output_path

  // the load
  std::optional<int64_t> iterations;                 // transactions per thread; or else:
  std::optional<std::chrono::nanoseconds> duration;  // exactly one of the two is set
  std::chrono::nanoseconds warmup{0};
  std::optional<int64_t> rate;  // transactions per second of all threads; absent: a closed loop
  ComputeClock compute_clock = ComputeClock::kWall;
  std::optional<int64_t> value_size;  // bytes
  std::string data_file;              // empty: none
  bool verify = false;

  // the engine
  Settings engine_settings;
  std::chrono::milliseconds timeout{30'000};
  int in_flight = 64;
  Io io = Io::kPwrite;
  std::string database = "write_throughput_test.db";
  bool keep = false;
  bool compare_limit = false;

  // the counters
  metrics::CounterMode counters = metrics::CounterMode::kAuto;
  std::vector<metrics::EventGroup> events;  // empty with kNone
  Scope scope = Scope::kRun;
  bool per_thread = false;  // a row of counters for each thread
  bool phases = false;      // costs of begin, compute, insert, commit and background

  // the output
  ReportOptions report;
  std::optional<std::chrono::milliseconds> interval;
};

// `words`: the command line, program name first.
Expected<Options> ParseOptions(const std::vector<std::string>& words);

// Whether the options make sense together; part of ParseOptions. Leaves out what only a probe of an
// engine can tell.
Expected<> CheckCombinations(const Options& options);

// Whether the engines have the modes and settings asked for; behind their probes.
Expected<> CheckEngines(const Options& options);

std::vector<Mode> ModesOf(const Options& options, const TargetInfo& engine);

// The engine settings, and --io among them (kIoSetting).
Settings SettingsOf(const Options& options);

std::string HelpText();                                 // of --help, with its newlines
std::string ListEnginesText(const Settings& settings);  // of --list-engines, likewise; probes

}  // namespace throughput
