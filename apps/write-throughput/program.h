// The program as a whole: from the command line to the exit status.
// Thread rule: the main thread, before there is any other.
#pragma once

#include <string>
#include <vector>

namespace throughput {

// Exit statuses; README.md says when.
inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitRefused = 2;
inline constexpr int kExitInterrupted = 130;

// `words`: the command line, program name first.
int Main(const std::vector<std::string>& words);

}  // namespace throughput
