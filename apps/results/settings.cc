// Owns which words of a command line are settings of the load.
#include "apps/results/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "apps/results/text.h"
#include "apps/write-throughput/flags.h"

namespace throughput {
namespace {

constexpr std::array<std::string_view, 4> kFlagsOfTheLoad = {"iterations", "duration", "warmup",
                                                             "data-file"};
constexpr std::string_view kEngineOption = "engine-option";

Setting EngineOption(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos) return {text, ""};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// The last one counts where a flag is given twice; engine options add up.
std::vector<Setting> FromCommandLine(const std::vector<std::string>& arguments) {
  std::vector<Setting> load;
  std::vector<Setting> engine;
  ReplaceValues(NormalizeWords(arguments), [&](const Flag& flag, const std::string& value) {
    const auto known = std::find(kFlagsOfTheLoad.begin(), kFlagsOfTheLoad.end(), flag.name);
    if (flag.name == kEngineOption) engine.push_back(EngineOption(value));
    if (known == kFlagsOfTheLoad.end()) return value;
    std::erase_if(load, [&](const Setting& setting) { return setting.name == flag.name; });
    if (value != flag.default_text) load.push_back({flag.name, value});
    return value;
  });
  const auto by_name = [](const Setting& a, const Setting& b) { return a.name < b.name; };
  std::sort(load.begin(), load.end(), by_name);
  std::stable_sort(engine.begin(), engine.end(), by_name);
  load.insert(load.end(), engine.begin(), engine.end());
  return load;
}

std::string LibrariesText(const metrics::Environment& environment) {
  std::vector<std::string> all;
  for (const auto& [name, version] : environment.libraries) all.push_back(name + " " + version);
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string ValueIn(const std::vector<Setting>& settings, const std::string& name) {
  std::vector<std::string> values;  // an engine may take an option more than once
  for (const Setting& setting : settings) {
    if (setting.name == name) values.push_back(Printable(setting.value));
  }
  return values.empty() ? "not set" : fmt::format("{}", fmt::join(values, " and "));
}

}  // namespace

std::vector<Setting> SettingsBeyondRecord(const metrics::ResultRecord& record) {
  std::vector<Setting> settings;
  const Flag* io = FindFlag("io");
  if (!record.engine_io.empty() && record.engine_io != io->default_text) {
    settings.push_back({"io", record.engine_io});
  }
  std::vector<Setting> given = FromCommandLine(record.environment.arguments);
  std::move(given.begin(), given.end(), std::back_inserter(settings));
  const Flag* scope = FindFlag("scope");
  if (record.scope != scope->default_text) settings.push_back({"scope", record.scope});
  if (!record.thread_counters.empty()) settings.push_back({"per-thread", "yes"});
  if (!record.phases.empty()) settings.push_back({"phases", "yes"});
  return settings;
}

std::vector<Setting> SettingsOf(const metrics::ResultRecord& record) {
  std::vector<Setting> settings = {{"threads", fmt::format("{}", record.threads)},
                                   {"batch", fmt::format("{}", record.batch_size)},
                                   {"compute", fmt::format("{}", record.compute_us)},
                                   {"mode", record.mode}};
  if (record.compute_us > 0 && record.compute_clock == "cpu") {
    settings.push_back({"compute-clock", "cpu"});
  }
  if (!record.hasher.empty()) settings.push_back({"hasher", record.hasher});
  if (record.in_flight > 0) settings.push_back({"in-flight", fmt::format("{}", record.in_flight)});
  if (record.value_size_bytes > 0) {
    settings.push_back({"value-size", fmt::format("{}", record.value_size_bytes)});
  }
  if (record.open_loop) settings.push_back({"rate", fmt::format("{}", record.open_loop->rate)});
  std::vector<Setting> beyond = SettingsBeyondRecord(record);
  std::move(beyond.begin(), beyond.end(), std::back_inserter(settings));
  return settings;
}

std::vector<Setting> BuildOf(const metrics::ResultRecord& record) {
  std::vector<Setting> build = {{"engine version", record.engine_version},
                                {"engine library", record.engine_library},
                                {"engine source", record.engine_source_id},
                                {"libraries", LibrariesText(record.environment)},
                                {"commit", record.environment.commit},
                                {"build type", record.environment.build_type},
                                {"file system", record.environment.file_system}};
  std::erase_if(build, [](const Setting& setting) { return setting.value.empty(); });
  return build;
}

std::vector<std::string> DifferencesOf(const std::vector<Setting>& before,
                                       const std::vector<Setting>& after) {
  std::vector<std::string> names;
  for (const std::vector<Setting>* side : {&before, &after}) {
    for (const Setting& setting : *side) {
      const bool known = std::find(names.begin(), names.end(), setting.name) != names.end();
      if (!known) names.push_back(setting.name);
    }
  }
  std::vector<std::string> differences;
  for (const std::string& name : names) {
    const std::string was = ValueIn(before, name);
    const std::string is = ValueIn(after, name);
    if (was == is) continue;
    differences.push_back(fmt::format("{}: {} -> {}", Printable(name), was, is));
  }
  return differences;
}

}  // namespace throughput
