// Finds out about engines that must be loaded to be known: each is loaded in a short-lived process
// of its own, so that two builds never meet in one process and a library that crashes or hangs
// costs one line.
// Thread rule: the calling process has no other thread, as it forks. Every wait has a deadline.
#pragma once

#include "apps/write-throughput/options.h"

namespace throughput {

// `info` with what its library tells. The failure is one line that says what is wrong and, where
// the library is simply not there, how to get it.
Expected<TargetInfo> ProbeEngine(const TargetInfo& info, const Settings& settings);

// Probes the engines of `options` that need it and checks them as CheckEngines does.
Expected<> ResolveEngines(Options& options);

}  // namespace throughput
