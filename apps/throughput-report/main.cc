// throughput-report: prints what the program returns, and turns failures into exit codes.
// Invariant: standard output carries data alone; a report that could not be written whole is an
// error.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include "apps/throughput-report/options.h"
#include "apps/throughput-report/program.h"

namespace throughput {
namespace {

struct Runner {
  Result<Outcome> operator()(const ReportOptions& options) const { return MakeReport(options); }
  Result<Outcome> operator()(const PrintOptions& options) const {
    return Outcome{options.text, {}};
  }
};

void Say(const std::string& message) { fmt::print(stderr, "throughput-report: {}\n", message); }

bool WriteOutput(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return true;
  Say("standard output: " + std::generic_category().message(errno));
  return false;
}

int Main(const std::vector<std::string>& arguments) {
  const auto command = ParseCommandLine(arguments);
  if (!command) return Say(command.error().message), command.error().exit_code;
  const auto outcome = std::visit(Runner(), *command);
  if (!outcome) return Say(outcome.error().message), outcome.error().exit_code;
  if (!WriteOutput(outcome->output)) return kExitFailed;
  if (!outcome->message.empty()) Say(outcome->message);
  return 0;
}

}  // namespace
}  // namespace throughput

int main(int argc, char** argv) {
  return throughput::Main(std::vector<std::string>(argv + 1, argv + argc));
}
