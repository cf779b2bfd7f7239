// Runs the program PROGRAM_UNDER_TEST (a macro of the test target) as a user would.
// Thread rule: one thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace throughput {

struct ProgramResult {
  int exit_code = -1;  // -1: ended by a signal
  std::string output;
  std::string errors;
};

struct ProgramSetting {
  std::string output_file = {};  // standard output goes there instead: "/dev/full"
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to ours
  long file_size_limit = -1;                                          // bytes; -1: none
};

ProgramResult RunProgram(const std::vector<std::string>& arguments,
                         const ProgramSetting& setting = {});

// Exit code 2, nothing on standard output, and on standard error one line that opens with the
// program's name and holds `message`.
void ExpectRefused(const ProgramResult& result, const std::string& message);

// Starts all before it waits for any.
std::vector<ProgramResult> RunTogether(const std::vector<std::vector<std::string>>& arguments);

}  // namespace throughput
