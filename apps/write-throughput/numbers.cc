#include "apps/write-throughput/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "apps/write-throughput/messages.h"

namespace throughput {
namespace {

bool AllDigits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<int64_t> Integer(std::string_view text, IntegerRange range) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (!AllDigits(text) || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  if (value < range.first || value > range.last) return std::nullopt;
  return value;
}

std::string Allowed(IntegerRange range) {
  return fmt::format("whole numbers {}{}from {} to {} are allowed", range.unit,
                     range.unit.empty() ? "" : " ", range.first, range.last);
}

}  // namespace

Expected<int64_t> ParseInteger(std::string_view flag, std::string_view text, IntegerRange range) {
  if (const auto value = Integer(text, range)) return *value;
  return tl::unexpected(Failure{FlagError(flag, text, Allowed(range))});
}

Expected<std::vector<int64_t>> ParseIntegers(std::string_view flag, std::string_view text,
                                             IntegerRange range) {
  std::vector<int64_t> values;
  for (const std::string& item : SplitList(text)) {
    const auto value = Integer(item, range);
    if (!value) {
      const std::string allowed = Allowed(range) + ", separated by commas";
      return tl::unexpected(Failure{FlagError(flag, text, allowed)});
    }
    values.push_back(*value);
  }
  return values;
}

Expected<std::chrono::nanoseconds> ParseSeconds(std::string_view flag, std::string_view text,
                                                SecondsRange range) {
  double seconds = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
  // from_chars also knows a sign, "inf" and "nan"; none of them begins with a digit.
  const bool number = !text.empty() && text.front() >= '0' && text.front() <= '9' &&
                      parsed.ec == std::errc() && parsed.ptr == end;
  if (!number || seconds < range.first || seconds > range.last) {
    return tl::unexpected(Failure{FlagError(
        flag, text, fmt::format("{} to {} seconds are allowed", range.first, range.last))});
  }
  return std::chrono::nanoseconds(std::llround(seconds * 1e9));
}

std::vector<std::string> SplitList(std::string_view text) {
  std::vector<std::string> items;
  size_t start = 0;
  for (;;) {
    const size_t comma = text.find(',', start);
    if (comma == std::string_view::npos) break;
    items.emplace_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  items.emplace_back(text.substr(start));
  return items;
}

}  // namespace throughput
