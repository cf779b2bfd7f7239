// The values of --events, checked against --counters.
// Thread rule: before the process has threads, as metrics/events.h.
#pragma once

#include <string>
#include <vector>

#include "apps/write-throughput/options.h"

namespace throughput {

// Sets the events of `options`, whose `counters` are known: those of the lists, or without any the
// default set, as far as it fits. The error names the list that is at fault.
Expected<> ReadEvents(const std::vector<std::string>& lists, Options& options);

}  // namespace throughput
