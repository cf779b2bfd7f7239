// What this program was built from.
// Thread rule: functions; nothing is kept.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace throughput {

std::string BuildCommit();  // of its source, "-dirty" behind it where that was changed; or empty
std::string BuildType();    // "Release"
std::vector<std::pair<std::string, std::string>> BuildLibraries();  // name, version

std::string BuildText();  // of --version, with its newlines

}  // namespace throughput
