// throughput-changes: from the command line to the command that it names.
#include <string>
#include <variant>
#include <vector>

#include "apps/throughput-changes/commands.h"
#include "apps/throughput-changes/options.h"

namespace throughput {
namespace {

struct Runner {
  Result<Outcome> operator()(const RecordOptions& options) const { return Record(options); }
  Result<Outcome> operator()(const ReportOptions& options) const { return Report(options); }
  Result<Outcome> operator()(const ExportOptions& options) const { return Export(options); }
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
  return throughput::Finish("throughput-changes",
                            throughput::Run(std::vector<std::string>(argv + 1, argv + argc)));
}
