// Which counters a report shows, and what it says of those it does not. Decided here, once, so that
// every form of output shows the same.
// Thread rule: a function of its arguments.
#pragma once

#include <string>
#include <vector>

#include "metrics/counter_reading.h"

namespace metrics {

enum class CounterMode {
  kNone,       // no counters
  kAuto,       // what this machine has
  kPerf,       // every event, those it has not as <not supported>
  kCallgrind,  // software as kAuto; what a PMU would count is simulated by somebody else
};

struct Selection {
  std::vector<CounterReading> readings;
  // One line, or empty: each cause of a counter that is missing, suspect or sees only the user's
  // part, once, behind the events that have it, and what to do about it. Counters that the default
  // set leaves out on this machine are mentioned only where it leaves out all of hardware.
  std::string note;
};

// kAuto: where no hardware event of the default set opened, all of them are left out; where some
// did, stalled-cycles-* that did not are left out. Events asked for by name always show.
Selection SelectShown(std::vector<CounterReading> readings, CounterMode mode);

}  // namespace metrics
