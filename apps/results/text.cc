// Owns how figures look in reports and messages.
#include "apps/results/text.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace throughput {

std::string Printable(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      line += c;
    }
  }
  return line;
}

std::string MarkdownCell(std::string_view text) {
  std::string cell;
  for (const char c : Printable(text)) {
    if (std::string_view("|\\`*_<>[]").find(c) != std::string_view::npos) cell += '\\';
    cell += c;
  }
  return cell;
}

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string Counted(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string FormatDay(int64_t time) {
  const auto day =
      std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds{std::chrono::seconds{time}});
  const std::chrono::year_month_day date{day};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string FormatInstant(int64_t time) {
  const int64_t second = time % 86400;
  return fmt::format("{}T{:02}:{:02}:{:02}+00:00", FormatDay(time), second / 3600, second / 60 % 60,
                     second % 60);
}

std::string FormatValue(double value) {
  const double size = std::abs(value);
  if (size >= 1e15) return fmt::format("{:.4g}", value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  if (size >= 100) return fmt::format("{:.1f}", value);
  if (size >= 1) return fmt::format("{:.2f}", value);
  return fmt::format("{:.4g}", value);
}

std::string FormatPvalue(double pvalue) {
  if (pvalue < 1e-300) return "p < 1e-300";
  return fmt::format("p = {:.2g}", pvalue);
}

std::string Slug(std::string_view text) {
  constexpr size_t kMaxSize = 100;
  std::string slug;
  for (const char c : text) {
    if (slug.size() == kMaxSize) break;
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      slug += c;
    } else if (c >= 'A' && c <= 'Z') {
      slug += static_cast<char>(c - 'A' + 'a');
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug;
}

}  // namespace throughput
