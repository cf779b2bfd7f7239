// A loop that makes every common event happen, and how often it must at the least: a counter that
// opens and reads less is broken (some virtual machines open counters that stay 0).
// Thread rule: functions; the loop runs in the calling thread.
#pragma once

#include <cstdint>

#include "metrics/events.h"

namespace metrics {

// About 0.1 ms: dependent loads over a fresh 256 KiB mapping, and branches nobody can predict.
void RunSelfTestLoop();

// What `event` must have counted over one run of the loop in which it was always on the PMU; 0 for
// an event of which the loop says nothing.
uint64_t LeastCount(const Event& event);

}  // namespace metrics
