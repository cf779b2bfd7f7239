// Owns the columns. Stateless.
#include "apps/write-throughput/report/phase_lines.h"

#include <fmt/format.h>

#include "apps/write-throughput/report/text.h"

namespace throughput {
namespace {

using metrics::PhaseFigures;
using metrics::ResultRecord;

// All rows of all runs count alike, so that the table's column adds up.
PhaseCosts Of(std::span<const ResultRecord> runs, size_t phase) {
  PhaseCosts sum;
  sum.name = runs.front().phases[phase].phase;
  double rows = 0;
  for (const ResultRecord& run : runs) {
    if (phase >= run.phases.size()) continue;
    const PhaseFigures& figures = run.phases[phase];
    rows += static_cast<double>(run.rows);
    sum.ns += figures.seconds * 1e9;
    sum.instructions += figures.instructions;
    sum.cycles += figures.cycles;
    sum.counted = sum.counted && figures.counted;
  }
  if (rows == 0) return {sum.name};
  return {sum.name, sum.ns / rows, sum.instructions / rows, sum.cycles / rows, sum.counted};
}

}  // namespace

std::vector<PhaseCosts> PhasesPerRow(std::span<const ResultRecord> runs) {
  std::vector<PhaseCosts> costs;
  for (size_t i = 0; i < runs.front().phases.size(); ++i) costs.push_back(Of(runs, i));
  return costs;
}

std::string PhaseLines(std::span<const ResultRecord> runs, bool big_numbers) {
  const std::vector<PhaseCosts> phases = PhasesPerRow(runs);
  if (phases.empty()) return "";
  std::string text =
      fmt::format("\n{:>18}{:>18}{:>18}  per row\n", "nsec", "instructions", "cycles");
  for (const PhaseCosts& per_row : phases) {
    const auto count = [&](double value) {
      return per_row.counted ? Significant(value, big_numbers) : std::string("<not counted>");
    };
    text += fmt::format("{:>18}{:>18}{:>18}  {}\n", Significant(per_row.ns, big_numbers),
                        count(per_row.instructions), count(per_row.cycles), per_row.name);
  }
  return text + " " + PrintableLine(runs.front().phases_note) + "\n";
}

}  // namespace throughput
