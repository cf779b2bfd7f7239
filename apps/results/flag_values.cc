#include "apps/results/flag_values.h"

#include <fmt/format.h>

#include "apps/results/text.h"

namespace throughput {

std::string WrongValue(std::string_view flag, std::string_view value, std::string_view allowed) {
  return fmt::format("--{} '{}': {}", flag, Printable(value), allowed);
}

Result<ReportFormat> ReportFormatOf(std::string_view name) {
  if (name == "text") return ReportFormat::kText;
  if (name == "markdown") return ReportFormat::kMarkdown;
  if (name == "json") return ReportFormat::kJson;
  return Refused(WrongValue("format", name, "text, markdown and json are allowed"));
}

}  // namespace throughput
