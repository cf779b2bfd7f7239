// The built program at the command line: what its tests share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/write-throughput/program.h"

namespace throughput {

class CommandLineTest : public testing::Test {
 protected:
  CommandLineTest() { settings_.folder = folder_.path(); }

  Finished Run(const std::vector<std::string>& arguments) {
    return RunProgram(arguments, settings_);
  }

  // Exit 2, one line, nothing on stdout.
  std::string Refusal(const std::vector<std::string>& arguments) {
    const Finished finished = Run(arguments);
    EXPECT_EQ(finished.status, 2) << finished.err;
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(Lines(finished.err), testing::SizeIs(1)) << finished.err;
    EXPECT_THAT(finished.err, testing::StartsWith("write-throughput: "));
    return finished.err;
  }

  TemporaryFolder folder_;
  ProgramSettings settings_;
};

}  // namespace throughput
