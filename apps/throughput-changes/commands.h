// What the program does, one function for each command. Nothing here prints.
// Thread rule: one thread.
#pragma once

#include "apps/results/outcome.h"
#include "apps/throughput-changes/options.h"

namespace throughput {

Result<Outcome> Record(const RecordOptions& options);
Result<Outcome> Report(const ReportOptions& options);
Result<Outcome> Export(const ExportOptions& options);

}  // namespace throughput
