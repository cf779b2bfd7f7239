// A loop whose user instructions are known exactly, and what counters say of it.
// Thread rule: functions; they count the calling thread and those that it makes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "metrics/counter_reading.h"
#include "metrics/events.h"

namespace pmu {

// The machine's clock: each instruction takes 2^shift cycles (QEMU's -icount shift=).
inline constexpr uint64_t kCyclesPerInstruction = 2;

inline constexpr uint64_t kInstructionsPerTurn = 2;

// Retires exactly kInstructionsPerTurn user instructions for each turn; `turns` is 1 or more.
void RunLoop(uint64_t turns);

std::vector<metrics::EventGroup> Events(const std::string& list);

// "instructions:u,instructions:u,..."
std::string Repeated(const std::string& event, int times);

// The readings of a window in which this thread runs the loop once.
std::vector<metrics::CounterReading> CountLoop(const std::vector<metrics::EventGroup>& events,
                                               uint64_t turns);

std::map<std::string, metrics::CounterReading> ByName(
    const std::vector<metrics::CounterReading>& readings);

}  // namespace pmu
