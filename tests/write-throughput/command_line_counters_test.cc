// Counters at the command line: scopes, threads, phases, callgrind, the doctor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "nlohmann/json.hpp"
#include "tests/write-throughput/command_line.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(CommandLineTest, TheProcessScopeCountsMoreThanTheRun) {
  const std::vector<std::string> base = {
      "--engine", "null", "-e", "page-faults", "--format", "json", "-q", "-r", "2"};
  std::vector<std::string> process = base;
  process.insert(process.end(), {"--scope", "process"});
  const auto faults = [](const Finished& finished) {
    EXPECT_EQ(finished.status, 0) << finished.err;
    const auto rows = Lines(finished.out);
    EXPECT_THAT(rows, SizeIs(2));
    return nlohmann::json::parse(rows.at(0)).at("counters").at(0).at("value").get<double>();
  };
  EXPECT_GT(faults(Run(process)), faults(Run(base)) + 100) << "the loader alone makes some";
}

TEST_F(CommandLineTest, EachThreadAndEachPhaseHasARow) {
  const Finished finished = Run({"-t", "2", "-i", "50", "-m", "concurrent", "--per-thread",
                                 "--phases", "--format", "json", "--engine-option", kSmallLog});
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_THAT(finished.err, AllOf(HasSubstr("          load-0 "), HasSubstr("          load-1 "),
                                  HasSubstr("     burin-flush "), HasSubstr("  background\n")));
  const auto record = nlohmann::json::parse(finished.out);
  EXPECT_EQ(record.at("phases").size(), 5);
  double of_threads = 0;
  for (const auto& thread : record.at("thread_counters")) {
    EXPECT_EQ(thread.at("counters").at(0).at("event"), "task-clock");
    of_threads += thread.at("counters").at(0).at("value").get<double>();
  }
  EXPECT_GT(of_threads, 0);
  EXPECT_GT(record.at("harness_percent"), 0);
}

TEST_F(CommandLineTest, CallgrindCountsTheWindowOfASecondRun) {
  const auto instructions = [&](const char* iterations) {
    const Finished finished =
        Run({"--counters", "callgrind", "-i", iterations, "--format", "json", "--keep",
             "--engine-option", "segment-bytes=8388608", "--value-size", "20"});
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr("# simulated (callgrind)"));
    EXPECT_THAT(folder_.Names(), ElementsAre("write_throughput_test.db"));
    const auto record = nlohmann::json::parse(finished.out);
    for (const auto& counter : record.at("counters")) {
      if (counter.at("event") != "instructions") continue;
      EXPECT_EQ(counter.at("source"), "callgrind");
      return counter.at("value").get<double>();
    }
    return 0.0;
  };
  if (access("/usr/bin/valgrind", X_OK) != 0) GTEST_SKIP() << "there is no valgrind";
  const double first = instructions("100");
  EXPECT_GT(first, 100 * 100 * 50) << "rows cost some fifty instructions at the very least";
  EXPECT_NEAR(instructions("100") / first, 1, 0.001);
}

TEST_F(CommandLineTest, CallgrindLeavesOutWhatIsBeforeTheWindow) {
  if (access("/usr/bin/valgrind", X_OK) != 0) GTEST_SKIP() << "there is no valgrind";
  const Finished finished =
      Run({"--engine", "null", "--counters", "callgrind", "-i", "20", "--format", "json", "-q"});
  ASSERT_EQ(finished.status, 0) << finished.err;
  const auto record = nlohmann::json::parse(finished.out);
  EXPECT_LT(record.at("per_row").at("instructions"), 200) << "the start alone costs millions";
}

TEST_F(CommandLineTest, TheDoctorExaminesMachineAndPlace) {
  const Finished fine = Run({"--doctor"});
  EXPECT_EQ(fine.status, 0) << fine.out;
  for (const char* subject :
       {"PMU", "task-clock", "branch-misses", "perf_event_paranoid", "governor", "turbo", "SMT",
        "NMI watchdog", "CPU quota", "other load", "file system", "sync"}) {
    EXPECT_THAT(fine.out, HasSubstr(std::string("  ") + subject + " "));
  }
  EXPECT_THAT(folder_.Names(), IsEmpty());
  const Finished nowhere = Run({"--doctor", "--database", "missing/x.db"});
  EXPECT_EQ(nowhere.status, 1) << "nothing can be measured there";
  EXPECT_THAT(nowhere.out, HasSubstr("fix   sync"));
}

}  // namespace
}  // namespace throughput
