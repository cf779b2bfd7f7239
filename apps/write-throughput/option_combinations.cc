// CheckCombinations of options.h: what cannot be judged of one flag alone.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "apps/write-throughput/messages.h"
#include "apps/write-throughput/options.h"

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
int64_t HashersOf(const Options& options, const TargetInfo& engine) {
  return engine.uses_hasher ? std::ssize(options.hashers) : 1;
}

Expected<> CheckRuns(const Options& options) {
  int64_t variants = 0;  // of an engine and its hashers
  for (const TargetInfo* engine : options.engines) variants += HashersOf(options, *engine);
  int64_t runs = 1;
  for (const int64_t factor : {variants, std::ssize(options.modes), std::ssize(options.threads),
                               std::ssize(options.batch_sizes), std::ssize(options.compute_us),
                               int64_t{options.repeats}}) {
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

Expected<> CheckEngine(const Options& options, const TargetInfo& engine) {
  for (const Mode mode : options.modes) {
    if (std::count(engine.modes.begin(), engine.modes.end(), mode) == 0) {
      return Refuse("mode", ModeName(mode),
                    fmt::format("{} has {}", engine.name, Join(engine.modes, ModeName)));
    }
  }
  for (const auto& [key, value] : options.engine_settings) {
    const auto setting = std::find_if(engine.settings.begin(), engine.settings.end(),
                                      [&key](const EngineSetting& s) { return s.key == key; });
    const std::string given = key + "=" + value;
    if (setting == engine.settings.end()) {
      const std::string keys = Join(engine.settings, [](const EngineSetting& s) { return s.key; });
      return Refuse("engine-option", given,
                    fmt::format("{} has {}", engine.name,
                                keys.empty() ? "no settings of its own" : "the keys " + keys));
    }
    if (!engine.setting_allowed(key, value)) {
      return Refuse("engine-option", given, fmt::format("{}: {}", key, setting->help));
    }
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
  if (options.verify && !engine.has_files) {
    return Refuse("engine", engine.name,
                  "keeps no rows that --verify could check; engines that do are allowed");
  }
  return {};
}

}  // namespace

Expected<> CheckCombinations(const Options& options) {
  if (auto fine = CheckRuns(options); !fine) return fine;
  if (auto fine = CheckIdRange(options); !fine) return fine;
  for (const TargetInfo* engine : options.engines) {
    if (auto fine = CheckEngine(options, *engine); !fine) return fine;
  }
  if (options.value_size && !options.data_file.empty()) {
    return Refuse("value-size", fmt::format("{}", *options.value_size),
                  "not together with --data-file; one of the two is allowed");
  }
  return {};
}

}  // namespace throughput
