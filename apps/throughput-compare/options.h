// The command line: what is to be compared and when to stop, checked before anything is run.
// Thread rule: values and a pure function.
#pragma once

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "apps/results/failure.h"
#include "apps/results/flag_values.h"
#include "apps/results/outcome.h"

namespace throughput {

// "instructions/row:1%"
struct Goal {
  std::string metric;
  double percent = 0;  // above 0, at most 1000
};

struct Limits {
  std::vector<Goal> precision{{"rows/s", 2}};  // half the width of the interval; in all tests
  std::chrono::duration<double> budget{120};   // seconds, for the runs of one comparison
  int runs = 200;                              // of each side, 2 to 10,000
  std::vector<std::string> needed;             // metrics of --fail-on: they have to be there
};

struct CompareOptions {
  std::vector<std::string> before;  // the words of a command, or result files; not empty
  std::vector<std::string> after;
  Limits limits;
  std::chrono::duration<double> run_limit{600};  // seconds, for a single run
  bool noise = false;
  ReportFormat format = ReportFormat::kText;
  std::vector<Goal> fail_on;  // worse by that much or more
};

using Request = std::variant<CompareOptions, Outcome>;  // Outcome: help or version

// `arguments` without the program's name. Refused: one line that names the flag, the value and what
// is allowed.
Result<Request> ParseCommandLine(const std::vector<std::string>& arguments);

}  // namespace throughput
