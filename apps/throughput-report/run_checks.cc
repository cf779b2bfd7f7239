// Owns the names of environments and of units.
#include "apps/throughput-report/run_checks.h"

#include <fmt/format.h>

#include "apps/results/text.h"

namespace throughput {
std::string EnvironmentName(size_t index) {
  constexpr size_t kLetters = 26;
  if (index < kLetters) return std::string(1, static_cast<char>('A' + index));
  return fmt::format("{}", index + 1);
}

const metrics::CounterReading* CountedReading(const metrics::ResultRecord& run,
                                              const std::string& event) {
  for (const metrics::CounterReading& reading : run.counters) {
    const bool named = reading.event == event || reading.generic == event;
    if (named && reading.status == metrics::CounterStatus::kCounted) return &reading;
  }
  return nullptr;
}

Result<void> UnitCheck::Accept(const metrics::ResultRecord& run, const std::string& where) {
  const auto* reading = CountedReading(run, "instructions");
  if (reading == nullptr) return {};
  std::string unit = "instructions";
  if (!reading->modifiers.empty()) unit += ":" + Printable(reading->modifiers);
  if (reading->source == "callgrind") unit += " (callgrind)";
  if (unit_.empty()) {
    unit_ = unit;
    where_ = where;
  }
  if (unit == unit_) return {};
  return Refused(fmt::format("{}: counts {}, but {} counts {}: report them apart", where, unit,
                             where_, unit_));
}

}  // namespace throughput
