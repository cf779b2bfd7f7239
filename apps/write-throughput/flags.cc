#include "apps/write-throughput/flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/write-throughput/ranges.h"

namespace throughput {
namespace {

std::string Range(IntegerRange range) { return fmt::format("{} to {}", range.first, range.last); }
std::string Range(SecondsRange range) { return fmt::format("{} to {}", range.first, range.last); }

std::vector<Flag> LoadFlags() {
  const std::string group = "Load";
  return {
      {'t', "threads", "N[,N...]", "1", group,
       fmt::format("load threads, {}", Range(kThreadsRange))},
      {'b', "batch-size", "N[,N...]", "100", group,
       fmt::format("rows per transaction, {}", Range(kBatchSizeRange))},
      {'i', "iterations", "N", "10", group,
       fmt::format("transactions per thread, {}", Range(kIterationsRange))},
      {'d', "duration", "S", "", group,
       fmt::format("instead of -i: run for S seconds, {}", Range(kDurationRange))},
      {0, "compute", "US[,US...]", "0", group,
       fmt::format("busy compute per transaction in microseconds, {}", Range(kComputeUsRange))},
      {0, "compute-clock", "CLOCK", "wall", group,
       "what the busy loop watches: wall, or cpu (the thread's own CPU time, which keeps sweeps "
       "with more threads than cores honest)"},
      {0, "value-size", "N", "", group,
       fmt::format("pad data_<id> with repeatable pseudo-random text to N bytes, {}",
                   Range(kValueSizeRange))},
      {0, "data-file", "FILE", "", group,
       "the data column takes line `id mod lines` of FILE, without its line end; a byte-order mark "
       "is dropped"},
      {0, "warmup", "S", "0", group,
       fmt::format("unmeasured load before the window, in seconds, {}", Range(kWarmupRange))},
      {0, "rate", "TX/S", "", group,
       fmt::format("open loop: transactions arrive at this rate, of all threads together, {}; "
                   "latency runs from the intended start",
                   Range(kRateRange))},
      {'r', "repeat", "N", "1", group, fmt::format("runs per cell, {}", Range(kRepeatsRange))},
      {0, "order", "ORDER", "as-given", group,
       "of the runs of a sweep: as-given (cell by cell), random or random:SEED (cells and repeats "
       "mixed, so that a disk that drifts does not pass for a difference between cells)"},
  };
}

std::vector<Flag> EngineFlags() {
  const std::string group = "Engine";
  return {
      {0, "engine", "NAME[,NAME...]", "burin", group,
       "what is loaded; --list-engines lists them; or the path of a shared library with the C "
       "interface of write_throughput_target.h"},
      {'m', "mode", "NAME[,NAME...]", "legacy", group,
       "how it commits: legacy, mvcc, logical-log, concurrent, mvcc-truncate, mvcc-passive; or "
       "best: "
       "each engine's best durable one that awaits every commit. Without -m an engine that has no "
       "legacy takes its best one"},
      {0, "hasher", "NAME[,NAME...]", "fx", group, "hash function of Burin's tables: fx, sip13"},
      {0, "engine-option", "KEY=VALUE", "", group,
       "a setting of the engine's own; repeatable; in a sweep over engines each takes those it "
       "has"},
      {0, "timeout", "MS", "30000", group,
       fmt::format(
           "busy timeout, also the bound of retries, in milliseconds, {}; two seconds on, a "
           "call to LMDB or a library of your own that still waits ends its cell",
           Range(kTimeoutMsRange))},
      {0, "in-flight", "N", "64", group,
       fmt::format("open transactions per thread in the pipelined modes, {}",
                   Range(kInFlightRange))},
      {0, "io", "WAY", "pwrite", group,
       "how the engine writes, where it has a choice: pwrite, io-uring (Burin counts its syncs "
       "itself, those of others pass by uncounted)"},
      {0, "database", "PATH", "write_throughput_test.db", group,
       "where; {cell} becomes the number of the cell, and with --repeat that of the run behind it: "
       "3-2. Only a database that write-throughput made is replaced"},
      {0, "keep", "", "", group, "keep the database after the run"},
      {0, "verify", "", "", group, "reopen the database after the run and check every row"},
      {0, "compare-limit", "", "", group,
       "before each run measure for a second what the disk allows, the same bytes appended and "
       "synced (raw-log: alone in the mode legacy, else by group commit); the summary shows the "
       "share"},
  };
}

std::vector<Flag> CounterFlags() {
  const std::string group = "Counter";
  return {
      {0, "counters", "WHICH", "auto", group,
       "auto (what this machine has), perf (all of the set, missing ones as <not supported>), "
       "callgrind (instructions, branches and cache misses simulated in a second, shorter run "
       "under "
       "valgrind), none"},
      {'e', "events", "LIST", "", group,
       "these events instead of perf stat's default set, in perf's syntax; repeatable"},
      {0, "scope", "SCOPE", "run", group,
       "what is counted: run (the measured window), or process (each cell's process from start to "
       "exit, as an outer perf stat would)"},
      {0, "per-thread", "", "", group,
       "the counters of each thread by itself, too: load-0, burin-flush, ..."},
      {0, "phases", "", "", group,
       "time, instructions and cycles per row of begin, compute, insert, commit and background "
       "threads, and what reading them so often took"},
  };
}

std::vector<Flag> OutputFlags() {
  const std::string group = "Output";
  return {
      {0, "format", "FORM", "csv", group, "rows as csv (five columns), csv-wide or json"},
      {0, "header", "", "", group, "a line of column names above the csv rows"},
      {'o', "output", "FILE", "", group, "rows go to FILE instead of stdout"},
      {0, "resume", "", "", group,
       "run only what is missing in the file of --output (json or csv): after a sweep was broken "
       "off, or for more --repeat"},
      {0, "summary", "FORM", "perf", group, "the summary as perf, csv, json or none"},
      {0, "summary-output", "FILE", "", group, "the summary goes to FILE instead of stderr"},
      {0, "no-big-num", "", "", group, "no digit grouping in the summary"},
      {0, "interval", "MS", "", group,
       fmt::format("rows and counters of every MS milliseconds on stderr, {}",
                   Range(kIntervalMsRange))},
      {'q', "quiet", "", "", group, "no summary, no progress, no warnings; errors stay"},
  };
}

std::vector<Flag> InformationFlags() {
  const std::string group = "Information";
  return {
      {0, "list-engines", "", "", group,
       "the engines: versions, modes, durability and settings, or how to get them"},
      {0, "list-events", "", "", group,
       "the events that this machine can count; with a WORD behind it, those that have it in name "
       "or description"},
      {0, "doctor", "", "", group,
       "how fit this machine and the place of --database are for measuring, and what to mend"},
      {'h', "help", "", "", group, "this text"},
      {0, "version", "", "", group, "version and libraries"},
  };
}

std::vector<Flag> AllFlags() {
  std::vector<Flag> all;
  for (auto&& part :
       {LoadFlags(), EngineFlags(), CounterFlags(), OutputFlags(), InformationFlags()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace

const std::vector<Flag>& Flags() {
  static const std::vector<Flag> flags = AllFlags();
  return flags;
}

const Flag* FindFlag(std::string_view name) {
  const auto found = std::find_if(Flags().begin(), Flags().end(),
                                  [name](const Flag& flag) { return flag.name == name; });
  return found == Flags().end() ? nullptr : &*found;
}

const Flag* FindFlag(char letter) {
  const auto found = std::find_if(Flags().begin(), Flags().end(), [letter](const Flag& flag) {
    return letter != 0 && flag.letter == letter;
  });
  return found == Flags().end() ? nullptr : &*found;
}

const Flag* WantsNextWord(const std::string& word) {
  if (word.starts_with("--")) {
    const Flag* flag = FindFlag(std::string_view(word).substr(2));
    return flag != nullptr && !flag->value_name.empty() ? flag : nullptr;
  }
  if (!word.starts_with("-")) return nullptr;
  for (size_t i = 1; i < word.size(); ++i) {
    const Flag* flag = FindFlag(word[i]);
    if (flag == nullptr) return nullptr;
    if (!flag->value_name.empty()) return i + 1 == word.size() ? flag : nullptr;
  }
  return nullptr;
}

std::vector<std::string> NormalizeWords(const std::vector<std::string>& words) {
  constexpr std::string_view kListEvents = "--list-events=";
  std::vector<std::string> normal;
  bool is_value = false;  // of the flag before it, or behind "--"
  bool only_values = false;
  for (const std::string& word : words) {
    const Flag* short_flag = word.size() > 2 && word[0] == '-' ? FindFlag(word[1]) : nullptr;
    if (normal.empty() || is_value || only_values) {
      normal.push_back(word);
      is_value = false;
    } else if (word.starts_with(kListEvents)) {
      normal.emplace_back(kListEvents.substr(0, kListEvents.size() - 1));
      normal.push_back(word.substr(kListEvents.size()));
    } else if (short_flag != nullptr && !short_flag->value_name.empty()) {
      normal.push_back(word.substr(0, 2));
      normal.push_back(word.substr(2));
    } else {
      only_values = word == "--";
      is_value = WantsNextWord(word) != nullptr;
      normal.push_back(word);
    }
  }
  return normal;
}

std::vector<std::string> ReplaceValues(
    const std::vector<std::string>& words,
    const std::function<std::string(const Flag& flag, const std::string& value)>& replace) {
  std::vector<std::string> replaced;
  const Flag* owner = nullptr;  // of the next word
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    const Flag* named = word.starts_with("--") && equals != std::string::npos
                            ? FindFlag(std::string_view(word).substr(2, equals - 2))
                            : nullptr;
    if (owner != nullptr) {
      replaced.push_back(replace(*owner, word));
      owner = nullptr;
    } else if (named != nullptr) {
      replaced.push_back(word.substr(0, equals + 1) + replace(*named, word.substr(equals + 1)));
    } else {
      owner = replaced.empty() ? nullptr : WantsNextWord(word);
      replaced.push_back(word);
    }
  }
  return replaced;
}

}  // namespace throughput
