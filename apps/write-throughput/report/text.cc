// Owns how numbers, foreign strings and aligned lines are written. Stateless.
#include "apps/write-throughput/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace throughput {
namespace {

constexpr size_t kTailColumn = 91;

std::string Finished(std::string line, std::string_view tail) {
  if (!tail.empty()) {
    line.resize(std::max(line.size(), kTailColumn), ' ');
    line += tail;
  }
  const size_t last = line.find_last_not_of(' ');
  line.resize(last == std::string::npos ? 0 : last + 1);
  return line;
}

std::string Escaped(unsigned char c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  return fmt::format("\\x{:02x}", c);
}

bool IsControl(unsigned char c) { return c < 0x20 || c == 0x7f; }

}  // namespace

std::string Decimal(double value, int decimals, bool big_numbers) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (!big_numbers || !std::isfinite(value)) return text;
  const size_t first = text.front() == '-' ? 1 : 0;
  size_t at = std::min(text.find('.'), text.size());
  while (at > first + 3) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string Significant(double value, bool big_numbers) {
  const double size = std::fabs(value);
  int decimals = 2;
  for (double limit = 0.1; size > 0 && size < limit && decimals < 9; limit /= 10) ++decimals;
  return Decimal(value, decimals, big_numbers);
}

std::string JsonString(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string ValidUtf8(std::string_view text) {
  return nlohmann::json::parse(JsonString(text)).get<std::string>();
}

std::string PrintableLine(std::string_view text) {
  const std::string valid = ValidUtf8(text);
  std::string line;
  for (size_t i = 0; i < valid.size(); ++i) {
    const auto c = static_cast<unsigned char>(valid[i]);
    const auto next = static_cast<unsigned char>(i + 1 < valid.size() ? valid[i + 1] : 0);
    if (IsControl(c)) {
      line += Escaped(c);
    } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009F: terminals obey them
      line += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      line += valid[i];
    }
  }
  return line;
}

std::string CsvField(std::string_view text) {
  std::string valid = ValidUtf8(text);
  if (valid.find_first_of(",\"\r\n") == std::string::npos) return valid;
  std::string quoted = "\"";
  for (const char c : valid) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string PerfLine(std::string_view value, std::string_view unit, std::string_view name,
                     std::string_view comment, std::string_view tail) {
  std::string line = fmt::format("{:>18} {:<4} {:<32}", value, unit, name);
  if (!comment.empty()) line += fmt::format(" # {}", comment);
  return Finished(std::move(line), tail);
}

std::string PerfContinuation(std::string_view comment, std::string_view tail) {
  return Finished(fmt::format("{:49} # {}", "", comment), tail);
}

std::string ErrorTail(double error_percent) {
  return error_percent == 0 ? "" : fmt::format("  ( +-{:6.2f}% )", error_percent);
}

}  // namespace throughput
