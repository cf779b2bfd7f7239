// How a program ends: what it prints, and its exit code. Nothing but Finish prints.
// Thread rule: values; Finish by the main thread.
#pragma once

#include <string>

#include "apps/results/failure.h"

namespace throughput {

struct Outcome {
  std::string output;   // for standard output: data, or help
  std::string message;  // a line for standard error, or empty
  int exit_code = 0;
};

// Prints the output to standard output, which carries data alone, and the message, or the failure,
// behind "PROGRAM: " to standard error. Returns the exit code: kExitFailed where standard output
// could not be written whole.
int Finish(const std::string& program, const Result<Outcome>& outcome);

}  // namespace throughput
