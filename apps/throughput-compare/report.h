// A comparison as text for people, as Markdown for a pull request, or as JSON (FORMATS.md).
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "apps/throughput-compare/collecting.h"

namespace throughput {

inline constexpr int kReportVersion = 1;

std::string FormatReport(const Comparison& comparison, const CompareOptions& options);

// Pieces that the forms share.
std::string_view VerdictName(Verdict verdict);
std::string_view EndName(End end);  // "precision", as JSON has it
std::string JsonReport(const Comparison& comparison, const CompareOptions& options);

}  // namespace throughput
