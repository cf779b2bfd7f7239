// Strict reading of the numbers and lists in flag values: the whole text or nothing, no locale.
// Every error is a line that names the flag, the value and what is allowed.
// Thread rule: functions of their arguments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/write-throughput/ranges.h"
#include "apps/write-throughput/targets/target.h"

namespace throughput {

Expected<int64_t> ParseInteger(std::string_view flag, std::string_view text, IntegerRange range);
Expected<std::vector<int64_t>> ParseIntegers(std::string_view flag, std::string_view text,
                                             IntegerRange range);

// "1.5", to the nanosecond; no exponent, no sign, no comma.
Expected<std::chrono::nanoseconds> ParseSeconds(std::string_view flag, std::string_view text,
                                                SecondsRange range);

// The items between commas, empty ones included.
std::vector<std::string> SplitList(std::string_view text);

}  // namespace throughput
