// What the program does. Nothing here prints.
// Thread rule: one thread.
#pragma once

#include "apps/results/outcome.h"
#include "apps/throughput-report/options.h"

namespace throughput {

// Everything is read, checked and drawn before anything is written.
Result<Outcome> MakeReport(const ReportOptions& options);

}  // namespace throughput
