// From two sides to everything that the report tells of them.
// Thread rule: one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/throughput-compare/comparison.h"
#include "apps/throughput-compare/interleaving.h"
#include "apps/throughput-compare/options.h"

namespace throughput {

struct Finding {
  std::vector<Judged> judged;
  End end = End::kRecorded;
  int runs = 0;  // of each side, where they were made in turn
  SideRuns before;
  SideRuns after;
  std::vector<std::string> notes;
};

struct Comparison {
  std::optional<Finding> noise;  // BEFORE against itself
  Finding finding;
};

// Runs the commands or reads the files. Refused, beside what their parts refuse: a command on one
// side and files on the other, a test with a single recorded run, --noise with files, a metric of
// --fail-on that is not there. `progress` is called between blocks.
Result<Comparison> Collect(const CompareOptions& options,
                           const std::function<void(const std::string&)>& progress);

}  // namespace throughput
