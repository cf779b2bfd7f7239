// Values of flags, and how wrong ones are reported: in one line that names the flag, the value and
// what is allowed.
// Thread rule: pure functions.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "apps/results/failure.h"

namespace throughput {

// "--runs '0': whole numbers from 2 to 10000 are allowed"
std::string WrongValue(std::string_view flag, std::string_view value, std::string_view allowed);

// The whole text as a number, in no locale.
template <typename T>
std::optional<T> NumberOf(std::string_view text) {
  T number{};
  // cppcheck-suppress invalidLifetime ; a number does not refer to its text
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

enum class ReportFormat { kText, kMarkdown, kJson };

// Of --format: text, markdown or json.
Result<ReportFormat> ReportFormatOf(std::string_view name);

}  // namespace throughput
