// throughput-report: from the command line to what the program does.
#include <string>
#include <variant>
#include <vector>

#include "apps/throughput-report/options.h"
#include "apps/throughput-report/program.h"

namespace throughput {
namespace {

struct Runner {
  Result<Outcome> operator()(const ReportOptions& options) const { return MakeReport(options); }
  Result<Outcome> operator()(const Outcome& text) const { return text; }
};

Result<Outcome> Run(const std::vector<std::string>& arguments) {
  const auto command = ParseCommandLine(arguments);
  if (!command) return tl::unexpected(command.error());
  return std::visit(Runner(), *command);
}

}  // namespace
}  // namespace throughput

int main(int argc, char** argv) {
  return throughput::Finish("throughput-report",
                            throughput::Run(std::vector<std::string>(argv + 1, argv + argc)));
}
