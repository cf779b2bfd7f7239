// What the program does with its options. Nothing here prints.
// Thread rule: one thread.
#pragma once

#include <functional>
#include <string>

#include "apps/results/outcome.h"
#include "apps/throughput-compare/collecting.h"
#include "apps/throughput-compare/options.h"

namespace throughput {

Result<Outcome> Compare(const CompareOptions& options,
                        const std::function<void(const std::string&)>& progress);

// The rules of --fail-on over a comparison: message and exit code, kExitWorse before kExitFailed.
Outcome ApplyFailOn(const std::vector<Goal>& rules, const std::vector<Judged>& judged);

}  // namespace throughput
