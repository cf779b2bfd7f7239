// The question the project began with, asked of the real engine: of sip13 against fx, do
// instructions per row fall? Counted by callgrind, where this build and this machine have it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/results/program.h"
#include "tests/results/scratch_folder.h"

namespace throughput {
namespace {

bool Runs(const std::string& command) { return std::system(command.c_str()) == 0; }

TEST(Callgrind, SeesThatFxTakesFewerInstructionsThanSip13) {
  if (!Runs("valgrind --version >/dev/null 2>&1")) GTEST_SKIP() << "valgrind is not installed";
  if (!Runs(WRITE_THROUGHPUT " --help | grep -q callgrind")) {
    GTEST_SKIP() << "write-throughput counts without callgrind";
  }
  const ScratchFolder folder;
  const auto side = [&](const std::string& hasher) {
    return std::vector<std::string>{WRITE_THROUGHPUT, "--counters", "callgrind",      "--hasher",
                                    hasher,           "--database", folder.Path("db")};
  };
  std::vector<std::string> words{"--precision", "instructions/row:1%", "--runs", "4", "--format",
                                 "json"};
  const auto before = side("sip13");
  const auto after = side("fx");
  words.insert(words.end(), before.begin(), before.end());
  words.emplace_back("--");
  words.insert(words.end(), after.begin(), after.end());
  const auto result = RunProgram(words);
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const auto comparison = nlohmann::json::parse(result.output);
  for (const auto& metric : comparison["comparison"]["metrics"]) {
    if (metric["metric"] != "instructions/row") continue;
    EXPECT_EQ(metric["verdict"], "better") << metric;
    EXPECT_LT(metric["change_percent"], -10);
    return;
  }
  ADD_FAILURE() << "no instructions/row: " << result.output;
}

}  // namespace
}  // namespace throughput
