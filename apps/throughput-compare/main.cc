// throughput-compare: from the command line to the comparison. On a terminal the runs' progress is
// one line of standard error that is cleared.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "apps/throughput-compare/options.h"
#include "apps/throughput-compare/program.h"
#include "apps/write-throughput/secrets.h"

namespace throughput {
namespace {

void ShowProgress(const std::string& text) {
  constexpr std::string_view kClearLine = "\r\033[K";
  if (::isatty(STDERR_FILENO) == 1) fmt::print(stderr, "{}{}", kClearLine, text);
}

Result<Outcome> Run(const std::vector<std::string>& arguments) {
  const auto request = ParseCommandLine(arguments);
  if (!request) return tl::unexpected(request.error());
  if (const auto* text = std::get_if<Outcome>(&*request)) return *text;
  auto outcome = Compare(std::get<CompareOptions>(*request), ShowProgress);
  ShowProgress("");
  return outcome;
}

}  // namespace
}  // namespace throughput

int main(int argc, char** argv) {
  ::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  throughput::HideArguments(argc, argv);
  return throughput::Finish("throughput-compare", throughput::Run(arguments));
}
