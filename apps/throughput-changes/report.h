// An analysis as text for a terminal, Markdown for a pull request, or JSON for a program.
// Thread rule: pure functions. Every form ends with a newline and carries the same facts.
#pragma once

#include <string>

#include "apps/results/flag_values.h"
#include "apps/throughput-changes/analysis.h"

namespace throughput {

// The version of the JSON form, described in FORMATS.md.
inline constexpr int kReportVersion = 1;

std::string FormatReport(const Analysis& analysis, ReportFormat format);

}  // namespace throughput
