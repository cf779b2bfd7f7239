// The rule of the default set.
#include "metrics/counter_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace metrics {
namespace {

bool Missing(const CounterReading& reading) {
  return reading.status == CounterStatus::kNotSupported;
}

bool DefaultHardware(const CounterReading& reading) {
  return reading.hardware && !reading.asked_by_name;
}

// Whether the default set does without it on this machine.
bool LeftOut(const CounterReading& reading, bool some_opened) {
  if (!DefaultHardware(reading) || !Missing(reading)) return false;
  return !some_opened || reading.generic.starts_with("stalled-cycles-");
}

// The events that have `cause`, as one says them.
std::string Names(const std::vector<CounterReading>& readings, const std::string& cause) {
  std::vector<std::string> names;
  bool all_hardware = true;
  for (const CounterReading& reading : readings) {
    if (reading.cause == cause) {
      const std::string name =
          reading.event + (reading.modifiers.empty() ? "" : ":" + reading.modifiers);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      all_hardware = all_hardware && reading.hardware;
    } else if (reading.hardware) {
      all_hardware = false;
    }
  }
  if (all_hardware && names.size() > 1) return "hardware counters";
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string Note(const std::vector<CounterReading>& readings) {
  std::vector<std::string> causes;
  for (const CounterReading& reading : readings) {
    if (!reading.cause.empty() && std::ranges::find(causes, reading.cause) == causes.end()) {
      causes.push_back(reading.cause);
    }
  }
  std::string note;
  for (const std::string& cause : causes) {
    if (!note.empty()) note += "; ";
    note += fmt::format("{}: {}", Names(readings, cause), cause);
  }
  return note;
}

}  // namespace

Selection SelectShown(std::vector<CounterReading> readings, CounterMode mode) {
  Selection selection;
  if (mode == CounterMode::kNone) return selection;
  const bool some_opened = std::ranges::any_of(readings, [](const CounterReading& reading) {
    return reading.hardware && !Missing(reading);
  });
  const auto left_out = [&](const CounterReading& reading) {
    return mode == CounterMode::kAuto && LeftOut(reading, some_opened);
  };
  if (some_opened) std::erase_if(readings, left_out);
  selection.note = Note(readings);
  if (!some_opened) std::erase_if(readings, left_out);
  selection.readings = std::move(readings);
  return selection;
}

}  // namespace metrics
