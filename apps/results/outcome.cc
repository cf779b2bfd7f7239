#include "apps/results/outcome.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace throughput {
namespace {

void Say(const std::string& program, const std::string& message) {
  fmt::print(stderr, "{}: {}\n", program, message);
}

}  // namespace

int Finish(const std::string& program, const Result<Outcome>& outcome) {
  if (!outcome) {
    Say(program, outcome.error().message);
    return outcome.error().exit_code;
  }
  const std::string& text = outcome->output;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    Say(program, "standard output: " + std::generic_category().message(errno));
    return kExitFailed;
  }
  if (!outcome->message.empty()) Say(program, outcome->message);
  return outcome->exit_code;
}

}  // namespace throughput
