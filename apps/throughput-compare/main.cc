// throughput-compare: prints what the comparison returns, and turns failures into exit codes.
// Invariant: standard output carries data alone; a report that could not be written whole is an
// error. On a terminal the runs' progress is one line of standard error that is cleared.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include "apps/throughput-compare/options.h"
#include "apps/throughput-compare/program.h"

namespace throughput {
namespace {

constexpr std::string_view kClearLine = "\r\033[K";

bool OnTerminal() { return ::isatty(STDERR_FILENO) == 1; }

void ShowProgress(const std::string& text) {
  if (OnTerminal()) fmt::print(stderr, "{}{}", kClearLine, text);
}

void Say(const std::string& message) {
  fmt::print(stderr, "{}throughput-compare: {}\n", OnTerminal() ? kClearLine : "", message);
}

bool WriteOutput(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return true;
  Say("standard output: " + std::generic_category().message(errno));
  return false;
}

Result<Outcome> Answer(const Request& request) {
  if (const auto* print = std::get_if<PrintOptions>(&request)) return Outcome{print->text, {}, 0};
  auto outcome = Compare(std::get<CompareOptions>(request), ShowProgress);
  ShowProgress("");
  return outcome;
}

int Main(const std::vector<std::string>& arguments) {
  ::signal(SIGPIPE, SIG_IGN);
  const auto request = ParseCommandLine(arguments);
  if (!request) return Say(request.error().message), request.error().exit_code;
  const auto outcome = Answer(*request);
  if (!outcome) return Say(outcome.error().message), outcome.error().exit_code;
  if (!WriteOutput(outcome->output)) return kExitFailed;
  if (!outcome->message.empty()) Say(outcome->message);
  return outcome->exit_code;
}

}  // namespace
}  // namespace throughput

int main(int argc, char** argv) {
  return throughput::Main(std::vector<std::string>(argv + 1, argv + argc));
}
