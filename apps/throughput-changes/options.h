// The command line: what is to be done, checked before any file is touched.
// Thread rule: values and a pure function.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "apps/results/failure.h"
#include "apps/results/flag_values.h"
#include "apps/results/outcome.h"
#include "apps/throughput-changes/change_points.h"

namespace throughput {

struct RecordOptions {
  std::string history;
  std::vector<std::string> results;  // at least one file
  std::string commit;
  int64_t time = 0;  // seconds since 1970, 0 to kLatestTime
  std::string branch = "main";
  std::string repository;
};

struct ReportOptions {
  std::string history;
  ChangePointOptions change_points;
  ReportFormat format = ReportFormat::kText;
  size_t fail_on_worse = 0;  // newest commits to look at; 0: never fail
};

struct ExportOptions {
  std::string history;
  std::string otava_folder;  // empty: not wanted; one of the two is
  std::string nyrkio_folder;
};

using Command =
    std::variant<RecordOptions, ReportOptions, ExportOptions, Outcome>;  // Outcome: help or version

// `arguments` without the program's name. Refused: one line that names the flag, the value and what
// is allowed.
Result<Command> ParseCommandLine(const std::vector<std::string>& arguments);

}  // namespace throughput
