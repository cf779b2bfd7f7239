// Runs of the real write-throughput, as data.
// Thread rule: one thread that forks: no other may run.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pmu {

struct RecordedRun {
  std::vector<nlohmann::json> rows;  // of --format json
  std::string summary;               // stderr
};

// A load on Burin with small log files, in a folder that is removed afterwards. A run that fails is
// the test's failure.
RecordedRun RunLoad(std::vector<std::string> arguments);

// The value of `event` (with its modifiers, "cycles:u") among `counters`, as rows have them.
double Value(const nlohmann::json& counters, const std::string& event);

int Occurrences(std::string_view text, std::string_view part);

}  // namespace pmu
