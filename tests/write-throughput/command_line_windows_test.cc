// Counters as a user of the whole program sees them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/write-throughput/program.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using Json = nlohmann::json;

class CountersCommandLineTest : public testing::Test {
 protected:
  CountersCommandLineTest() { settings_.folder = folder_.path(); }

  Finished Run(const std::vector<std::string>& arguments) {
    Finished finished = RunProgram(arguments, settings_);
    EXPECT_EQ(finished.status, 0) << finished.err;
    return finished;
  }

  TemporaryFolder folder_;
  ProgramSettings settings_;
};

double ValueOf(const Json& counters, const std::string& event) {
  for (const auto& counter : counters) {
    if (counter.at("event") == event) return counter.at("value");
  }
  ADD_FAILURE() << "no " << event;
  return 0;
}

TEST_F(CountersCommandLineTest, TheTimesOfAWindowHoldItsCpuTimeAndTheProcessItsThreads) {
  for (const char* engine : {"null", "burin"}) {
    const Finished finished = Run({"--engine", engine, "-i", "10", "-t", "2", "-m", "concurrent",
                                   "--per-thread", "--format", "json", "-q"});
    const Json record = Json::parse(finished.out);
    const double ns = record.at("seconds").get<double>() * 1e9;
    const double task_clock = ValueOf(record.at("counters"), "task-clock");
    const size_t threads = record.at("thread_counters").size();
    EXPECT_LE(task_clock, ns * static_cast<double>(threads)) << engine;
    double of_threads = 0;
    for (const auto& thread : record.at("thread_counters")) {
      of_threads += ValueOf(thread.at("counters"), "task-clock");
    }
    EXPECT_LE(of_threads, task_clock) << engine;
    EXPECT_EQ(record.at("thread_counters").at(0).at("name"), "load-0");
    EXPECT_EQ(record.at("thread_counters").at(1).at("name"), "load-1");
  }
}

TEST_F(CountersCommandLineTest, AThreadUsesNoMoreThanOneCpuOfTheShortestWindow) {
  for (int i = 0; i < 5; ++i) {
    const Json record = Json::parse(
        Run({"--engine", "null", "-i", "2", "--per-thread", "--format", "json", "-q"}).out);
    const double ns = record.at("seconds").get<double>() * 1e9;
    EXPECT_LE(ValueOf(record.at("thread_counters").at(0).at("counters"), "task-clock"), ns);
    EXPECT_LE(ValueOf(record.at("counters"), "task-clock"), 2 * ns) << "with the watching thread";
  }
}

TEST_F(CountersCommandLineTest, TheProcessScopeIsNamedAndLeavesTheWindowAsItWas) {
  const Finished finished = Run({"-i", "20", "--scope", "process", "--format", "json"});
  const Json record = Json::parse(finished.out);
  EXPECT_EQ(record.at("scope"), "process");
  EXPECT_GT(record.at("process").at("seconds"), record.at("seconds"));
  EXPECT_DOUBLE_EQ(record.at("rows_per_second").get<double>(),
                   record.at("rows").get<double>() / record.at("seconds").get<double>());
  EXPECT_THAT(finished.err, HasSubstr("are of the whole process"));
  const Json window = Json::parse(Run({"-i", "20", "--format", "json", "-q"}).out);
  EXPECT_EQ(window.at("scope"), "run");
  EXPECT_FALSE(window.contains("process"));
}

TEST_F(CountersCommandLineTest, WithoutCountersThereIsNoBlockOfThem) {
  const Finished finished = Run({"--engine", "null", "--counters", "none"});
  EXPECT_THAT(finished.err, AllOf(Not(HasSubstr("Performance counter stats")),
                                  HasSubstr("seconds time elapsed"), HasSubstr("rows/s")));
}

TEST_F(CountersCommandLineTest, TheMachineFormsOfASweepTellItsCellsApart) {
  const std::vector<std::string> sweep = {"--engine", "null", "-t", "1,2", "--per-thread"};
  const auto summary = [&](const char* form) {
    std::vector<std::string> words = sweep;
    words.insert(words.end(), {"--summary", form});
    return Lines(Run(words).err);
  };
  std::vector<std::string> cells;
  for (const std::string& line : summary("csv")) {
    if (line.starts_with("# cell")) cells.push_back(line);
  }
  ASSERT_THAT(cells, SizeIs(2));
  EXPECT_THAT(cells[1], AllOf(HasSubstr("# cell 2: "), HasSubstr("-t 2")));
  int of_threads = 0;
  for (const std::string& line : summary("json")) {
    const Json object = Json::parse(line);
    EXPECT_TRUE(object.contains("cell")) << line;
    if (object.contains("thread") && object.at("cell") == 2) ++of_threads;
  }
  EXPECT_GT(of_threads, 2);
}

}  // namespace
}  // namespace throughput
