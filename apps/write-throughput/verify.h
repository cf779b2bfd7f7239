// Checks a database row by row against what its load was told: every acknowledged transaction
// whole and unchanged, those in doubt whole or absent, and nothing else. Streams: its memory does
// not grow with the number of rows.
// Thread rule: one thread.
#pragma once

#include <functional>
#include <vector>

#include "apps/write-throughput/load_plan.h"
#include "apps/write-throughput/targets/target.h"
#include "apps/write-throughput/workload.h"

namespace throughput {

struct WrittenRows {
  IdLayout layout;
  std::vector<PhaseLog> warmup;  // one for each thread
  std::vector<PhaseLog> measured;
};

int64_t InDoubt(const WrittenRows& written);  // transactions

struct Verification {
  bool complete = false;  // false: stopped before the end
  int64_t rows = 0;       // found and right
};

// Reads an open `target`. `stop` is asked now and then. The failure tells of the first row that is
// missing, changed, there twice, or never acknowledged, or is the engine's own.
Expected<Verification> Verify(Target& target, const WrittenRows& written, const Values& values,
                              const std::function<bool()>& stop);

}  // namespace throughput
