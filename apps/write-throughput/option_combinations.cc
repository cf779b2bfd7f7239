// CheckCombinations of options.h: what cannot be judged of one flag alone.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "apps/write-throughput/messages.h"
#include "apps/write-throughput/options.h"
#include "apps/write-throughput/secrets.h"

namespace throughput {
namespace {

Expected<> Refuse(std::string_view flag, std::string_view value, std::string_view allowed) {
  return tl::unexpected(Failure{FlagError(flag, value, allowed)});
}

template <typename Items, typename Name>
std::string Join(const Items& items, const Name& name) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ", ";
    text += name(item);
  }
  return text;
}

// Engines without a hash table of their own make one cell for all hashers.
int64_t VariantsOf(const Options& options, const TargetInfo& engine) {
  const int64_t hashers = engine.uses_hasher ? std::ssize(options.hashers) : 1;
  return hashers * std::ssize(ModesOf(options, engine));
}

Expected<> CheckRuns(const Options& options) {
  int64_t variants = 0;  // of an engine, its modes and its hashers
  for (const TargetInfo* engine : options.engines) variants += VariantsOf(options, *engine);
  int64_t runs = 1;
  for (const int64_t factor :
       {variants, std::ssize(options.threads), std::ssize(options.batch_sizes),
        std::ssize(options.compute_us), int64_t{options.repeats}}) {
    if (__builtin_mul_overflow(runs, factor, &runs) || runs > kMostRuns) {
      return Refuse("repeat", fmt::format("{}", options.repeats),
                    fmt::format("cells times repeats must be at most {}", kMostRuns));
    }
  }
  const bool placeholder = options.database.find(kCellPlaceholder) != std::string::npos;
  if (options.keep && runs > 1 && !placeholder) {
    return Refuse("database", options.database,
                  fmt::format("--keep with {} runs needs {} in the path, which becomes the number "
                              "of the cell",
                              runs, kCellPlaceholder));
  }
  return {};
}

// Ids are from 0 up, thread by thread: all rows of the largest cell need one.
Expected<> CheckIdRange(const Options& options) {
  if (!options.iterations) return {};
  const int64_t threads = *std::max_element(options.threads.begin(), options.threads.end());
  const int64_t batch = *std::max_element(options.batch_sizes.begin(), options.batch_sizes.end());
  int64_t rows = 0;
  if (__builtin_mul_overflow(threads * batch, *options.iterations, &rows)) {
    return Refuse(
        "iterations", fmt::format("{}", *options.iterations),
        fmt::format("with {} threads and batches of {} rows at most {} are allowed: the "
                    "ids of all rows have 63 bits",
                    threads, batch, std::numeric_limits<int64_t>::max() / (threads * batch)));
  }
  return {};
}

const EngineSetting* FindSetting(const TargetInfo& engine, const std::string& key) {
  for (const EngineSetting& setting : engine.settings) {
    if (setting.key == key) return &setting;
  }
  return nullptr;
}

// Before a probe, which makes use of them.
Expected<> CheckSettingValues(const Options& options, const TargetInfo& engine) {
  for (const auto& [key, value] : options.engine_settings) {
    const EngineSetting* setting = FindSetting(engine, key);
    if (setting == nullptr || engine.setting_allowed == nullptr) continue;
    if (engine.setting_allowed(key, value)) continue;
    return Refuse("engine-option", Shown(key + "=" + value),
                  fmt::format("{}: {}", key, setting->help));
  }
  return {};
}

Expected<> CheckEngine(const Options& options, const TargetInfo& engine) {
  for (const Mode mode : ModesOf(options, engine)) {
    if (HasMode(engine, mode)) continue;
    return Refuse("mode", ModeName(mode),
                  fmt::format("{} has {}", engine.name, Join(engine.modes, ModeName)));
  }
  for (const EngineSetting& setting : engine.settings) {
    if (!setting.required || options.engine_settings.contains(setting.key)) continue;
    return Refuse("engine", engine.name,
                  fmt::format("without --engine-option {}=...: {}", setting.key, setting.help));
  }
  if (options.io != Io::kPwrite) {
    if (engine.io_refusal == nullptr) {
      return Refuse("io", IoName(options.io),
                    fmt::format("{} writes in a way of its own; pwrite is allowed", engine.name));
    }
    if (const std::string why = engine.io_refusal(options.io); !why.empty()) {
      return Refuse("io", IoName(options.io), why + "; pwrite is allowed");
    }
  }
  if (options.verify && !engine.keeps_rows) {
    return Refuse("engine", engine.name,
                  "keeps no rows that --verify could check; engines that do are allowed");
  }
  return {};
}

std::string SettingsText(const TargetInfo& engine) {
  const std::string keys = Join(engine.settings, [](const EngineSetting& s) { return s.key; });
  return fmt::format("{} has {}", engine.name,
                     keys.empty() ? "no settings of its own" : "the keys " + keys);
}

// In a sweep over engines each takes the settings that it has: one has to have each of them.
Expected<> CheckSettingsAreKnown(const Options& options) {
  for (const auto& [key, value] : options.engine_settings) {
    const bool known = std::any_of(
        options.engines.begin(), options.engines.end(),
        [&key](const TargetInfo* engine) { return FindSetting(*engine, key) != nullptr; });
    if (known) continue;
    return Refuse("engine-option", Shown(key + "=" + value),
                  Join(options.engines, [](const TargetInfo* e) { return SettingsText(*e); }));
  }
  return {};
}

// What a classic row does not show cannot be found again in a file of such rows.
Expected<> CheckResume(const Options& options) {
  if (!options.resume) return {};
  const std::string& path = options.report.output_path;
  if (path.empty()) return Refuse("resume", "", "needs the file of an earlier run in --output");
  if (options.report.format == RowFormat::kCsvWide) {
    return Refuse("format", "csv-wide", "with --resume json and csv are allowed");
  }
  const bool hidden = options.modes.size() > 1 || options.hashers.size() > 1;
  if (options.report.format == RowFormat::kCsv && hidden) {
    return Refuse("format", "csv",
                  "with --resume and a list in --mode or --hasher, which csv rows do not show, "
                  "json is allowed");
  }
  return {};
}

// What is counted of parts of the window says nothing of a whole process.
Expected<> CheckCounters(const Options& options) {
  using metrics::CounterMode;
  const std::array<std::pair<bool, const char*>, 3> of_the_window = {
      {{options.per_thread, "--per-thread"},
       {options.phases, "--phases"},
       {options.interval.has_value(), "--interval"}}};
  for (const auto& [given, flag] : of_the_window) {
    if (given && options.scope == Scope::kProcess) {
      return Refuse("scope", "process",
                    fmt::format("not together with {}, which is about the window alone", flag));
    }
  }
  for (const auto& [given, flag] : std::span(of_the_window).first(2)) {
    if (given && options.counters == CounterMode::kNone) {
      return Refuse("counters", "none", fmt::format("not together with {}", flag));
    }
  }
  if (options.counters == CounterMode::kCallgrind && options.scope == Scope::kProcess) {
    return Refuse("scope", "process",
                  "not together with --counters callgrind, which simulates the window alone");
  }
  return {};
}

}  // namespace

Expected<> CheckCombinations(const Options& options) {
  if (auto fine = CheckResume(options); !fine) return fine;
  if (auto fine = CheckRuns(options); !fine) return fine;
  if (auto fine = CheckIdRange(options); !fine) return fine;
  for (const TargetInfo* engine : options.engines) {
    if (auto fine = CheckSettingValues(options, *engine); !fine) return fine;
  }
  const bool known = std::all_of(options.engines.begin(), options.engines.end(),
                                 [](const TargetInfo* engine) { return engine->probe == nullptr; });
  if (known) {
    if (auto fine = CheckEngines(options); !fine) return fine;
  }
  if (auto fine = CheckCounters(options); !fine) return fine;
  const ReportOptions& report = options.report;
  if (!report.summary_path.empty() && (report.quiet || report.summary == SummaryForm::kNone)) {
    return Refuse("summary-output", report.summary_path,
                  "not together with --quiet or --summary none, which leave it empty");
  }
  if (options.value_size && !options.data_file.empty()) {
    return Refuse("value-size", fmt::format("{}", *options.value_size),
                  "not together with --data-file; one of the two is allowed");
  }
  return {};
}

Expected<> CheckEngines(const Options& options) {
  for (const TargetInfo* engine : options.engines) {
    if (auto fine = CheckEngine(options, *engine); !fine) return fine;
  }
  return CheckSettingsAreKnown(options);
}

std::vector<Mode> ModesOf(const Options& options, const TargetInfo& engine) {
  const bool lacks_default = !options.mode_given && !HasMode(engine, options.modes.front());
  if (options.best_mode || lacks_default) return {engine.best_mode};
  return options.modes;
}

Settings SettingsOf(const Options& options) {
  Settings settings = options.engine_settings;
  settings[kIoSetting] = IoName(options.io);
  return settings;
}

}  // namespace throughput
