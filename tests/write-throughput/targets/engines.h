// What the tests of engines share: running the program with one, and leaving out what is not there.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "apps/write-throughput/targets/target.h"
#include "tests/write-throughput/program.h"

namespace throughput {

// Why the engine cannot be tested here; empty: it can.
std::string Missing(const std::string& engine);

class EngineTest : public testing::Test {
 protected:
  EngineTest() { settings_.folder = folder_.path(); }

  Finished Run(const std::vector<std::string>& arguments) {
    return RunProgram(arguments, settings_);
  }

  // The columns of the first row of a run that succeeds; with a row in any case.
  std::map<std::string, std::string> Columns(std::vector<std::string> arguments);

  // Of a run that ends with this status: the one line that it says.
  std::string Line(int status, const std::vector<std::string>& arguments);

  TemporaryFolder folder_;
  ProgramSettings settings_;
};

}  // namespace throughput
