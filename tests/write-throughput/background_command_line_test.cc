// The built program at the command line: what it says of checkpoints, stalls and syncs, and --io.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/engine.h"
#include "nlohmann/json.hpp"
#include "tests/write-throughput/program.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class BackgroundCommandLineTest : public testing::Test {
 protected:
  BackgroundCommandLineTest() { settings_.folder = folder_.path(); }

  // A small log and tables that are soon full, so that a second sees many checkpoints.
  Finished RunSmall(std::vector<std::string> arguments) {
    for (const std::string& setting : {kSmallLog, std::string("table-slots=1024")}) {
      arguments.insert(arguments.end(), {"--engine-option", setting});
    }
    return RunProgram(arguments, settings_);
  }

  TemporaryFolder folder_;
  ProgramSettings settings_;
};

TEST_F(BackgroundCommandLineTest, TheRecordHasCheckpointsStallsAndTheLongestSync) {
  const Finished finished = RunSmall({"-m", "mvcc-truncate", "-t", "4", "-b", "10", "-i", "500",
                                      "--format", "json", "--interval", "10"});
  ASSERT_EQ(finished.status, 0) << finished.err;
  const auto record = nlohmann::json::parse(finished.out);
  const auto& background = record.at("background");
  EXPECT_GT(background.at("checkpoints"), 5);
  EXPECT_GT(background.at("bytes_written"), 0);
  EXPECT_LT(background.at("bytes_written"), record.at("bytes_written"));
  EXPECT_GT(background.at("cpu_ns"), 0);
  EXPECT_GT(background.at("stalls"), 0);  // writers stand still in this mode
  EXPECT_GT(background.at("longest_stall_ns"), 0);
  EXPECT_LE(background.at("longest_stall_ns"), background.at("stall_ns"));
  EXPECT_GT(background.at("longest_sync_ns"), 0);
  bool checkpoint = false;
  bool stall = false;
  for (const auto& interval : record.at("intervals")) {
    checkpoint = checkpoint || interval.at("checkpoint");
    stall = stall || interval.at("stall");
  }
  EXPECT_TRUE(checkpoint);
  EXPECT_TRUE(stall);
  EXPECT_THAT(finished.err, ContainsRegex("rows/s  during checkpoint"));
  EXPECT_THAT(finished.err,
              AllOf(HasSubstr(" msec longest sync\n"), HasSubstr(" checkpoints "),
                    HasSubstr("% of all bytes\n"), HasSubstr("% of all CPU time\n"),
                    HasSubstr(" stalls of load threads "), HasSubstr(" msec longest stall\n"),
                    HasSubstr(" without a row\n")));
}

TEST_F(BackgroundCommandLineTest, TheBackgroundCanBeHeldBack) {
  const Finished finished =
      RunSmall({"-m", "mvcc-passive", "-t", "2", "-b", "10", "-i", "500", "--verify", "--format",
                "json", "--engine-option", "limit-background=on"});
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(nlohmann::json::parse(finished.out).at("rows_verified"), 10'000);
  EXPECT_THAT(RunSmall({"--engine-option", "limit-background=yes"}).err,
              HasSubstr("on or off (off)"));
}

TEST_F(BackgroundCommandLineTest, IoUringWritesWhatVerifyFinds) {
  if (const burin::Status status = burin::Engine::CheckIo(burin::Io::kIoUring); !status.ok()) {
    GTEST_SKIP() << status.message();
  }
  const Finished finished = RunSmall({"-m", "legacy,concurrent", "--io", "io-uring", "-t", "2",
                                      "-b", "10", "-i", "200", "--verify", "--format", "json"});
  ASSERT_EQ(finished.status, 0) << finished.err;
  const auto rows = Lines(finished.out);
  ASSERT_THAT(rows, SizeIs(2));
  for (const std::string& row : rows) {
    const auto record = nlohmann::json::parse(row);
    EXPECT_EQ(record.at("rows_verified"), 4000);
    EXPECT_EQ(record.at("engine_io"), "io-uring");
    EXPECT_GT(record.at("syncs"), 0);
  }
}

TEST_F(BackgroundCommandLineTest, IoUringThatIsForbiddenIsRefusedBeforeAnyFileIsMade) {
  settings_.forbid_io_uring = true;
  const Finished finished = RunProgram({"--io", "io-uring", "-o", "rows.csv"}, settings_);
  EXPECT_EQ(finished.status, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(Lines(finished.err), SizeIs(1));
  EXPECT_THAT(finished.err, StartsWith("write-throughput: --io 'io-uring': io_uring: "));
  EXPECT_THAT(finished.err, HasSubstr("; pwrite is allowed\n"));
  EXPECT_THAT(folder_.Names(), IsEmpty());
  EXPECT_EQ(RunProgram({"--io", "pwrite", "-q"}, settings_).status, 0);
}

TEST_F(BackgroundCommandLineTest, IoThatIsUnknownOrNoChoiceOfTheEnginesIsRefused) {
  const Finished unknown = RunProgram({"--io", "mmap"}, settings_);
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("--io"), HasSubstr("pwrite, io-uring are allowed")));
  const Finished no_choice = RunProgram({"--engine", "null", "--io", "io-uring"}, settings_);
  EXPECT_EQ(no_choice.status, 2);
  EXPECT_THAT(no_choice.err,
              AllOf(HasSubstr("--io"), HasSubstr("null writes in a way of its own")));
}

}  // namespace
}  // namespace throughput
