// The real write-throughput on a machine with a PMU.
#include <gmock/gmock.h>

#include "tests/pmu/counted_loop.h"
#include "tests/pmu/recorded_run.h"

namespace pmu {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr int kBatch = 100;

// callgrind counts about 240 user instructions for each row at this batch size on x86-64, start and
// end left out. Another instruction set, and an engine that gets better, stay within these bounds;
// a count of another thing does not.
constexpr double kLeastPerRow = 80;
constexpr double kMostPerRow = 480;

TEST(Program, InstructionsPerRowAgreeWithCallgrind) {
  std::vector<double> counts;
  for (const char* iterations : {"1000", "3000"}) {
    const RecordedRun run = RunLoad({"-i", iterations, "-e", "{instructions:u,cycles:u}"});
    const nlohmann::json& counters = run.rows.at(0).at("counters");
    counts.push_back(Value(counters, "instructions:u"));
    EXPECT_EQ(Value(counters, "cycles:u"), kCyclesPerInstruction * counts.back());
  }
  const double per_row = (counts[1] - counts[0]) / (2000.0 * kBatch);
  EXPECT_GT(per_row, kLeastPerRow);
  EXPECT_LT(per_row, kMostPerRow);
  EXPECT_NEAR(counts[0] / (1000.0 * kBatch), per_row, 0.05 * per_row)
      << "the window holds hardly anything but rows";
}

TEST(Program, CellsAndRepeatsCountAlike) {
  const RecordedRun run =
      RunLoad({"-t", "4,4", "-r", "3", "-i", "200", "--compute", "50", "-e", "instructions:u"});
  ASSERT_EQ(run.rows.size(), 6);
  const double first = Value(run.rows[0].at("counters"), "instructions:u");
  EXPECT_GT(first, 4.0 * 200 * kBatch * kLeastPerRow);
  for (const nlohmann::json& row : run.rows) {
    EXPECT_NEAR(Value(row.at("counters"), "instructions:u"), first, first / 100);
  }
}

TEST(Program, IntervalsAddUpToTheWhole) {
  const RecordedRun run =
      RunLoad({"-i", "3000", "--interval", "30", "-e", "{instructions,cycles}"});
  const nlohmann::json& row = run.rows.at(0);
  EXPECT_GT(row.at("intervals").size(), 3);
  for (const char* event : {"instructions", "cycles"}) {
    double sum = 0;
    for (const nlohmann::json& interval : row.at("intervals")) {
      sum += Value(interval.at("counters"), event);
    }
    EXPECT_EQ(sum, Value(row.at("counters"), event)) << event;
  }
}

TEST(Program, PrintsWhatCountsAndMarksWhatDoesNot) {
  const RecordedRun run = RunLoad({"-i", "1000"});
  EXPECT_THAT(run.summary,
              AllOf(ContainsRegex("[0-9],[0-9]+ +instructions +# +0\\.50  insn per cycle"),
                    ContainsRegex("[0-9],[0-9]+ +cycles +# +[01]\\.[0-9]+ GHz"),
                    ContainsRegex("<suspect> +stalled-cycles-frontend"),
                    ContainsRegex("<not supported> +branches"),
                    HasSubstr("branches, branch-misses: this CPU or its kernel driver does not "
                              "count it (ENOENT)")));
  EXPECT_THAT(run.summary, Not(HasSubstr("of the time")));
}

TEST(Program, WarnsWhereEventsTakeTurns) {
  const RecordedRun run = RunLoad({"-i", "2000", "-e", Repeated("instructions", 12)});
  EXPECT_THAT(run.summary, ContainsRegex("instructions +\\([3-7][0-9]\\.[0-9]+%\\)"));
  EXPECT_THAT(run.summary,
              ContainsRegex("instructions \\([3-7][0-9]\\.[0-9] %\\): counted part of the time"));
}

TEST(Program, RefusesAGroupThatDoesNotFitAndStillRuns) {
  const RecordedRun run = RunLoad({"-i", "100", "-e", "{" + Repeated("instructions", 7) + "}"});
  EXPECT_THAT(run.summary, ContainsRegex("<not supported> +instructions"));
  EXPECT_EQ(Occurrences(run.summary, "a group of 7 events does not fit the PMU (EINVAL)"), 1);
}

TEST(Program, TheScopeOfTheProcessHoldsTheWindow) {
  const auto count = [](const std::string& scope) {
    const RecordedRun run = RunLoad({"-i", "500", "--scope", scope, "-e", "INST_RETIRED:u"});
    return Value(run.rows.at(0).at("counters"), "INST_RETIRED:u");
  };
  const double window = count("run");
  const double process = count("process");
  EXPECT_GT(process, window + 100'000) << "the loader and the start";
  EXPECT_LT(process, window + 50'000'000);
}

}  // namespace
}  // namespace pmu
