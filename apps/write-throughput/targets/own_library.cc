#include "apps/write-throughput/targets/own_library.h"

#include <fmt/format.h>
#include <string.h>

#include <utility>

#include "apps/write-throughput/report/text.h"

namespace throughput {
namespace {

constexpr const char* kSymbol = "write_throughput_target";

constexpr std::pair<Mode, uint32_t> kBits[] = {
    {Mode::kLegacy, WRITE_THROUGHPUT_LEGACY},
    {Mode::kMvcc, WRITE_THROUGHPUT_MVCC},
    {Mode::kLogicalLog, WRITE_THROUGHPUT_LOGICAL_LOG},
    {Mode::kConcurrent, WRITE_THROUGHPUT_CONCURRENT},
    {Mode::kMvccTruncate, WRITE_THROUGHPUT_MVCC_TRUNCATE},
    {Mode::kMvccPassive, WRITE_THROUGHPUT_MVCC_PASSIVE},
};

uint32_t BitOf(Mode mode) {
  for (const auto& [known, bit] : kBits) {
    if (known == mode) return bit;
  }
  return 0;
}

std::string OrEmpty(const char* text) { return text == nullptr ? "" : text; }

// What a row shows has to stay within its line.
bool IsPrintable(const char* text) { return text[0] != '\0' && PrintableLine(text) == text; }

}  // namespace

Expected<> OwnLibrary::Load(const std::string& path) {
  if (auto opened = library_.Open(path); !opened) return opened;
  decltype(&::write_throughput_target) describe = nullptr;
  if (auto found = library_.Find(kSymbol, describe); !found) return found;
  functions_ = describe();
  if (functions_ == nullptr) {
    return tl::unexpected(Failure{fmt::format("{}: {} returned null", library_.path(), kSymbol)});
  }
  if (functions_->version != WRITE_THROUGHPUT_TARGET_VERSION ||
      functions_->size < sizeof(write_throughput_engine)) {
    return tl::unexpected(Failure{fmt::format(
        "{} has version {} of the interface ({} bytes); this program has version {} ({} bytes)",
        library_.path(), functions_->version, functions_->size, WRITE_THROUGHPUT_TARGET_VERSION,
        sizeof(write_throughput_engine))});
  }
  return CheckFunctions();
}

Expected<> OwnLibrary::CheckFunctions() const {
  const auto unfit = [this](std::string_view what, std::string_view why) {
    return tl::unexpected(
        Failure{fmt::format("{}: '{}' in its description is {}", library_.path(), what, why)});
  };
  const auto missing = [&unfit](std::string_view what) { return unfit(what, "null"); };
  const auto& has = *functions_;
  const std::pair<const char*, bool> needed[] = {
      {"name", has.name != nullptr},
      {"engine_version", has.engine_version != nullptr},
      {"create", has.create != nullptr},
      {"open", has.open != nullptr},
      {"close", has.close != nullptr},
      {"connect", has.connect != nullptr},
      {"disconnect", has.disconnect != nullptr},
      {"begin", has.begin != nullptr},
      {"insert", has.insert != nullptr},
      {"commit", has.commit != nullptr},
      {"rollback", has.rollback != nullptr},
      {"scan", has.scan != nullptr},
      {"settings", has.settings != nullptr || has.setting_count == 0},
  };
  for (const auto& [name, there] : needed) {
    if (!there) return missing(name);
  }
  if (!IsPrintable(has.name)) return unfit("name", "no printable line");
  if (!IsPrintable(has.engine_version)) return unfit("engine_version", "no printable line");
  for (const Mode mode : Modes()) {
    if (!Pipelined(mode)) continue;
    if (has.submit == nullptr) return missing("submit");
    if (has.await == nullptr) return missing("await");
  }
  if (Modes().empty()) {
    return tl::unexpected(Failure{fmt::format("{} has no mode", library_.path())});
  }
  return {};
}

LoadedEngine OwnLibrary::Describe() const {
  return {functions_->name, functions_->engine_version, library_.path(),
          OrEmpty(functions_->source_id)};
}

std::vector<Mode> OwnLibrary::Modes() const {
  std::vector<Mode> modes;
  for (const auto& [mode, bit] : kBits) {
    if ((functions_->modes & bit) != 0) modes.push_back(mode);
  }
  return modes;
}

std::vector<EngineSetting> OwnLibrary::Settings() const {
  std::vector<EngineSetting> settings;
  for (size_t i = 0; i < functions_->setting_count; ++i) {
    settings.push_back(
        {OrEmpty(functions_->settings[i].key), OrEmpty(functions_->settings[i].value)});
  }
  return settings;
}

OwnOptions::OwnOptions(const OwnLibrary& library, const TargetOptions& options) {
  for (const EngineSetting& setting : library.Settings()) {
    const auto given = options.engine_options.find(setting.key);
    if (given == options.engine_options.end()) continue;
    settings_.push_back({given->first.c_str(), given->second.c_str()});
  }
  options_.size = sizeof options_;
  options_.path = options.path.empty() ? nullptr : options.path.c_str();
  options_.mode = BitOf(options.mode);
  options_.threads = options.threads;
  options_.in_flight = options.in_flight;
  options_.timeout_ms = options.timeout.count();
  options_.settings = settings_.data();
  options_.setting_count = settings_.size();
}

std::string TextOf(const write_throughput_error& error) {
  const size_t size = strnlen(error.text, sizeof error.text);
  return size == 0 ? "failed and gave no reason" : std::string(error.text, size);
}

}  // namespace throughput
