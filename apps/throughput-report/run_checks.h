// What runs of one report have to agree in, and which of their counters are shown.
// Thread rule: pure functions; a UnitCheck has one owner.
#pragma once

#include <string>

#include "apps/results/failure.h"
#include "metrics/result_record.h"

namespace throughput {

// 0: "A", 25: "Z", 26: "27"
std::string EnvironmentName(size_t index);

// The reading of `event` (perf's name, without modifiers) that was counted, or null. An event that
// was asked for twice counts once, the first time.
const metrics::CounterReading* CountedReading(const metrics::ResultRecord& run,
                                              const std::string& event);

// Sees to it that instructions mean the same in all runs: user only or with the kernel's, by the
// CPU or by callgrind.
class UnitCheck {
 public:
  Result<void> Accept(const metrics::ResultRecord& run, const std::string& where);
  const std::string& unit() const { return unit_; }  // empty: none counted so far

 private:
  std::string unit_;
  std::string where_;
};

}  // namespace throughput
