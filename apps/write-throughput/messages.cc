#include "apps/write-throughput/messages.h"

#include <fmt/format.h>
#include <string.h>

#include "apps/write-throughput/report/text.h"

namespace throughput {

std::string FlagError(std::string_view flag, std::string_view value, std::string_view allowed) {
  return fmt::format("--{} '{}': {}", flag, PrintableLine(value), allowed);
}

std::string ErrnoText(int error) {
  const char* text = strerrordesc_np(error);
  return text != nullptr ? text : fmt::format("error {}", error);
}

}  // namespace throughput
