// Which runs belong together, and which are refused.
#include "apps/throughput-report/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/throughput-report/runs.h"

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Study, RunsOfOneCellAreRepeats) {
  const Study study = Studied({RunAt(1, 0, 10), RunAt(2, 0, 15), RunAt(1, 0, 12)});
  ASSERT_EQ(study.cells.size(), 2u);
  EXPECT_EQ(study.cells[0].runs.size(), 2u);
  EXPECT_EQ(study.cells[1].runs.size(), 1u);
  EXPECT_EQ(study.remark, "1 of 2 cells were run once and have no error bar.");
}

TEST(Study, SaysThatSingleRunsHaveNoErrorBars) {
  EXPECT_THAT(Studied({RunAt(1, 0, 10)}).remark, HasSubstr("Every cell was run once"));
  EXPECT_EQ(Studied({RunAt(1, 0, 10), RunAt(1, 0, 11)}).remark, "");
}

TEST(Study, ALabelNamesOnlyWhatTellsSeriesApart) {
  metrics::ResultRecord sip = RunAt(1, 0, 9);
  sip.hasher = "sip13";
  EXPECT_THAT(Studied({RunAt(1, 0, 10)}).series, ElementsAre("Burin"));
  EXPECT_THAT(Studied({RunAt(1, 0, 10), RunAt(1, 0, 9, "mvcc")}).series,
              ElementsAre("Burin legacy", "Burin mvcc"));
  EXPECT_THAT(Studied({RunAt(1, 0, 10), sip}).series, ElementsAre("Burin fx", "Burin sip13"));
}

TEST(Study, InFlightIsNotNamedWhereTheModeSaysEnough) {
  metrics::ResultRecord pipelined = RunAt(1, 0, 9, "concurrent");
  pipelined.in_flight = 64;
  EXPECT_THAT(Studied({RunAt(1, 0, 10), pipelined}).series,
              ElementsAre("Burin legacy", "Burin concurrent"));
}

TEST(Study, MachinesAndBuildsAreNeverPooled) {
  metrics::ResultRecord other = RunAt(1, 0, 9);
  other.environment.commit = "abc";
  const Study study = Studied({RunAt(1, 0, 10), other});
  EXPECT_THAT(study.series, ElementsAre("Burin environment A", "Burin environment B"));
  EXPECT_EQ(study.environments.size(), 2u);
}

TEST(Study, EngineSettingsOfTheCommandLineAreNeverPooled) {
  metrics::ResultRecord small = RunAt(1, 0, 9);
  small.environment.arguments = {"write-throughput", "--engine-option", "table-slots=1024",
                                 "--io=io-uring"};
  EXPECT_THAT(Studied({RunAt(1, 0, 10), small}).series,
              ElementsAre("Burin", "Burin table-slots=1024 io io-uring"));
}

TEST(Study, RefusesInstructionsInDifferentUnits) {
  metrics::ResultRecord user = RunAt(2, 0, 9);
  user.counters[0].modifiers = "u";
  EXPECT_EQ(Refusal({RunAt(1, 0, 10), user}),
            "r.json line 2: counts instructions:u, but r.json line 1 counts instructions: report "
            "them apart");
  metrics::ResultRecord exact = RunAt(2, 0, 9);
  exact.counters[0].source = "callgrind";
  EXPECT_THAT(Refusal({RunAt(1, 0, 10), exact}), HasSubstr("counts instructions (callgrind)"));
}

TEST(Study, RefusesFiguresThatNoRunHas) {
  EXPECT_EQ(Refusal({RunAt(0, 0, 10)}), "r.json line 1: threads is 0: 1 to 1e+15 is allowed");
  EXPECT_THAT(Refusal({RunAt(1, -1, 10)}), HasSubstr("compute_us is -1"));
  EXPECT_THAT(Refusal({RunAt(1, 0, -10)}), HasSubstr("rows_per_second is -10"));
  EXPECT_THAT(Refusal({RunAt(1, 0, 1e300)}), HasSubstr("rows_per_second is 1e+300"));
  metrics::ResultRecord counter = RunAt(1, 0, 10);
  counter.counters[0].value = -5;
  EXPECT_THAT(Refusal({counter}), HasSubstr("instructions is -5"));
  EXPECT_EQ(Refusal({}), "no run to report");
}

TEST(Study, RefusesIntervalsThatDoNotFollowOneAnother) {
  metrics::ResultRecord run = RunAt(1, 0, 10);
  run.intervals = {{0.2, 10, {}}, {0.1, 10, {}}, {0.3, 10, {}}};
  EXPECT_EQ(Refusal({run}), "r.json line 1: an interval ends at 0.1 s, the one before it at 0.2 s");
  run.intervals = {{0.1, 10, {}}, {0.2, 10, {}}, {0.19, 0, {}}};  // a sample during the closing
  EXPECT_EQ(Refusal({run}), "");
}

TEST(Study, ACounterThatWasNotCountedGivesNoFigure) {
  metrics::ResultRecord run = RunAt(1, 0, 10);
  const Study counted = Studied({run});
  EXPECT_EQ(CounterPerRow(counted.cells[0], "instructions")->median, 120);
  run.counters[0].status = metrics::CounterStatus::kSuspect;
  EXPECT_FALSE(CounterPerRow(Studied({run}).cells[0], "instructions"));
}

TEST(Spread, IsTheMedianBetweenTheExtremes) {
  const Spread spread = SpreadOf({3, 1, 10});
  EXPECT_EQ(spread.runs, 3u);
  EXPECT_EQ(spread.median, 3);
  EXPECT_EQ(spread.low, 1);
  EXPECT_EQ(spread.high, 10);
}

}  // namespace
}  // namespace throughput
