// --doctor: says how fit this machine, and the place of the database, are for measuring.
// Thread rule: before the process has threads.
#pragma once

#include <span>
#include <string>

#include "apps/write-throughput/options.h"
#include "metrics/doctor.h"

namespace throughput {

struct Diagnosis {
  std::string text;         // a line for each finding, and one for its fix
  bool can_measure = true;  // no finding is a Verdict::kFix
};

Diagnosis Diagnose(const Options& options);
Diagnosis DiagnosisOf(std::span<const metrics::Finding> findings);

}  // namespace throughput
