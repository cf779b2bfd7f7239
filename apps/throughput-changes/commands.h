// What the program does, one function for each command. Nothing here prints.
// Thread rule: one thread.
#pragma once

#include <string>

#include "apps/results/failure.h"
#include "apps/throughput-changes/options.h"

namespace throughput {

struct Outcome {
  std::string output;   // for standard output
  std::string message;  // a line for standard error, or empty
  int exit_code = 0;
};

Result<Outcome> Record(const RecordOptions& options);
Result<Outcome> Report(const ReportOptions& options);
Result<Outcome> Export(const ExportOptions& options);

}  // namespace throughput
