#include "apps/write-throughput/phase_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace throughput {
namespace {

constexpr std::array<const char*, kLoadPhases> kNames = {"begin", "compute", "insert", "commit"};

std::optional<double> OfProcess(const metrics::ResultRecord& record, const std::string& event,
                                const std::string& modifiers) {
  for (const metrics::CounterReading& reading : record.counters) {
    const bool counted = reading.status == metrics::CounterStatus::kCounted;
    if (counted && reading.source == "perf" && reading.generic == event &&
        reading.modifiers == modifiers) {
      return reading.value;
    }
  }
  return std::nullopt;
}

metrics::PhaseFigures Background(const metrics::ResultRecord& record, double load_cpu_ns,
                                 const std::string& modifiers) {
  metrics::PhaseFigures background;
  background.phase = "background";
  background.seconds =
      std::max(0.0, record.user_seconds + record.system_seconds - load_cpu_ns * 1e-9);
  auto instructions = OfProcess(record, "instructions", modifiers);
  auto cycles = OfProcess(record, "cycles", modifiers);
  if (!instructions || !cycles) return background;
  for (const metrics::PhaseFigures& phase : record.phases) {
    if (!phase.counted) return background;
    *instructions -= phase.instructions;
    *cycles -= phase.cycles;
  }
  background.counted = true;
  background.instructions = std::max(0.0, *instructions);
  background.cycles = std::max(0.0, *cycles);
  return background;
}

}  // namespace

void AddPhases(std::span<const PhaseSplit> splits, metrics::ResultRecord& record) {
  if (splits.empty()) return;
  double cpu_ns = 0;
  double thread_ns = 0;
  double reading_ns = 0;
  int64_t readings = 0;
  record.phases.assign(kLoadPhases, {});
  for (size_t i = 0; i < kLoadPhases; ++i) {
    metrics::PhaseFigures& phase = record.phases[i];
    phase.phase = kNames[i];
    phase.counted = true;
    for (const PhaseSplit& split : splits) {
      phase.seconds += split.parts[i].ns * 1e-9;
      phase.instructions += split.parts[i].instructions;
      phase.cycles += split.parts[i].cycles;
      phase.counted = phase.counted && split.counts_hardware;
      thread_ns += split.parts[i].ns;
    }
  }
  for (const PhaseSplit& split : splits) {
    cpu_ns += split.cpu_ns;
    readings += split.readings;
    reading_ns += split.reading_ns * static_cast<double>(split.readings);
  }
  record.phases.push_back(Background(record, cpu_ns, splits.front().modifiers));
  record.phase_overhead_percent = thread_ns == 0 ? 0 : 100 * reading_ns / thread_ns;
  record.phases_note =
      fmt::format("--phases: {} readings of {:.0f} ns took {:.2f} % of the load threads' time",
                  readings, readings == 0 ? 0 : reading_ns / static_cast<double>(readings),
                  record.phase_overhead_percent);
  if (splits.front().counts_hardware && record.rows > 0) {
    const double instructions = splits.front().reading_instructions * static_cast<double>(readings);
    record.phases_note += fmt::format(", and {:.1f} of the instructions per row",
                                      instructions / static_cast<double>(record.rows));
  }
  const std::string& cause = splits.front().cause;
  if (cause.empty()) return;
  const bool said = record.counters_note.find(cause) != std::string::npos;
  record.phases_note += said ? "; instructions and cycles: as the counters of the process"
                             : "; instructions, cycles: " + cause;
}

}  // namespace throughput
