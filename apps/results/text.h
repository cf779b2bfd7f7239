// Small pieces of text: numbers, dates and names as people read them. No locale has a say.
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace throughput {

// Control characters become \n, \t or \x1b, so that one line stays one line.
std::string Printable(std::string_view text);

// For a cell of a Markdown table: printable, and no character means anything to Markdown.
std::string MarkdownCell(std::string_view text);

// Nothing but spaces, tabs and ends of lines.
bool IsBlank(std::string_view text);

// "1 change", "2 changes"
std::string Counted(size_t count, std::string_view noun);

// Seconds since 1970, 0 to kLatestTime: "2026-03-01" and "2026-03-01T12:00:00+00:00", UTC.
inline constexpr int64_t kLatestTime = 253402300799;  // the last second of the year 9999
std::string FormatDay(int64_t time);
std::string FormatInstant(int64_t time);

// Four significant digits or more, no exponent from 0.001 to 10^15: "106519", "12.35", "0.01234"
std::string FormatValue(double value);

// "p = 6.7e-28"; "p < 1e-300" where a double ends
std::string FormatPvalue(double pvalue);

// Lower-case letters, digits and single dashes, at most 100 of them, for a file's name:
// "burin-threads-1"
std::string Slug(std::string_view text);

}  // namespace throughput
