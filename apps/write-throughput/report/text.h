// Pieces of text that every form of output is made of: numbers, names that may hold anything, and
// lines in the geometry of perf stat. Nothing here depends on the locale.
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace throughput {

// Fixed decimals; with `big_numbers` a "," every three digits before the point.
std::string Decimal(double value, int decimals, bool big_numbers);

// Two decimals, or as many as show two significant digits of what is smaller: 0.0033.
std::string Significant(double value, bool big_numbers);

// Bytes that are not UTF-8 become U+FFFD, the rest stays.
std::string ValidUtf8(std::string_view text);

// As ValidUtf8, and control characters are written as escapes (\n, \t, \x1b, \u009b), so that the
// result is one line and moves no terminal's cursor.
std::string PrintableLine(std::string_view text);

// A field of RFC 4180: in quotes where it needs them, and valid UTF-8.
std::string CsvField(std::string_view text);

// A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
std::string JsonString(std::string_view text);

// perf stat's columns: the value right-aligned in 18, the unit in 4, the name in 32, then "# " and
// the comment when there is one, then the tail from column 91 on ("  ( +-  0.45% )"). Without
// trailing blanks and without a newline.
std::string PerfLine(std::string_view value, std::string_view unit, std::string_view name,
                     std::string_view comment = {}, std::string_view tail = {});

// perf stat's second line of a counter: "# " at column 50, the tail as above.
std::string PerfContinuation(std::string_view comment, std::string_view tail = {});

// "  ( +-  0.45% )", or nothing when the error is exactly 0.
std::string ErrorTail(double error_percent);

}  // namespace throughput
