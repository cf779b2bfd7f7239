// What the program does. Nothing here prints.
// Thread rule: one thread.
#pragma once

#include <string>

#include "apps/results/failure.h"
#include "apps/throughput-report/options.h"

namespace throughput {

struct Outcome {
  std::string output;   // for standard output
  std::string message;  // a line for standard error, or empty
};

// Everything is read, checked and drawn before anything is written.
Result<Outcome> MakeReport(const ReportOptions& options);

}  // namespace throughput
