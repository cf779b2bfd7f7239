// The command line: what is to be made of which results, checked before any file is touched.
// Thread rule: values and a pure function.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "apps/results/failure.h"
#include "apps/results/outcome.h"
#include "apps/throughput-report/gnuplot_script.h"

namespace throughput {

struct ReportOptions {
  std::vector<std::string> results;  // at least one file
  std::string page;                  // empty: none wanted; one of page, plots and scaling is
  std::string plots;                 // a folder; empty: not wanted
  PictureFormat plot_format = PictureFormat::kSvg;  // never kInline
  std::string plot_ending = "svg";
  bool scaling = false;
};

using Command = std::variant<ReportOptions, Outcome>;  // Outcome: help or version

// `arguments` without the program's name. Refused: one line that names the flag, the value and what
// is allowed.
Result<Command> ParseCommandLine(const std::vector<std::string>& arguments);

}  // namespace throughput
