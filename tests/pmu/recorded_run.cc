// Runs the program as its command-line tests do, and reads its rows.
#include "tests/pmu/recorded_run.h"

#include <gtest/gtest.h>

#include "tests/write-throughput/program.h"

namespace pmu {

RecordedRun RunLoad(std::vector<std::string> arguments) {
  const throughput::TemporaryFolder folder;
  arguments.insert(arguments.end(),
                   {"--format", "json", "--engine-option", "segment-bytes=16777216"});
  throughput::ProgramSettings settings;
  settings.folder = folder.path();
  const throughput::Finished finished = throughput::RunProgram(arguments, settings);
  EXPECT_EQ(finished.status, 0) << finished.err;
  RecordedRun run;
  run.summary = finished.err;
  for (const std::string& line : throughput::Lines(finished.out)) {
    run.rows.push_back(nlohmann::json::parse(line));
  }
  EXPECT_FALSE(run.rows.empty());
  return run;
}

double Value(const nlohmann::json& counters, const std::string& event) {
  for (const nlohmann::json& counter : counters) {
    const std::string modifiers = counter.at("modifiers");
    const std::string name = counter.at("event");
    if ((modifiers.empty() ? name : name + ":" + modifiers) != event) continue;
    EXPECT_EQ(counter.at("status"), "counted") << counter;
    return counter.at("value");
  }
  ADD_FAILURE() << event << " is not among " << counters;
  return 0;
}

int Occurrences(std::string_view text, std::string_view part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace pmu
