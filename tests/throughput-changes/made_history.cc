// Owns the figures that tests start from.
#include "tests/throughput-changes/made_history.h"

#include <fmt/format.h>

namespace throughput {

RecordedRun MadeRun(int number, double rows_per_second, const std::string& test) {
  RecordedRun run;
  run.commit = fmt::format("c{}", number);
  run.time = 1'700'000'000 + 86'400 * int64_t{number};
  run.branch = "main";
  run.repository = "https://example.org/engine";
  run.test = test;
  run.machine = "a machine";
  run.metrics.push_back({"rows/s", "rows/s", Better::kHigher, rows_per_second});
  return run;
}

std::vector<RecordedRun> MadeRuns(const std::vector<double>& values, const std::string& test) {
  std::vector<RecordedRun> runs;
  for (const double value : values) {
    runs.push_back(MadeRun(static_cast<int>(runs.size()), value, test));
  }
  return runs;
}

std::string Lines(const std::vector<RecordedRun>& runs) {
  std::string lines;
  for (const RecordedRun& run : runs) lines += FormatRun(run) + '\n';
  return lines;
}

}  // namespace throughput
