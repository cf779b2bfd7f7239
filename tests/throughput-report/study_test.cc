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
  small.environment.arguments = {"write-throughput", "--engine-option", "table-slots=1024"};
  small.engine_io = "io-uring";
  EXPECT_THAT(Studied({RunAt(1, 0, 10), small}).series,
              ElementsAre("Burin", "Burin io=io-uring table-slots=1024"));
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

TEST(Study, RefusesToReportNothing) { EXPECT_EQ(Refusal({}), "no run to report"); }

TEST(Study, RunsOfDifferentLengthsOrRatesAreNeverPooled) {
  metrics::ResultRecord longer = RunAt(1, 0, 9);
  longer.environment.arguments = {"write-throughput", "-i", "2000"};
  EXPECT_THAT(Studied({RunAt(1, 0, 10), longer}).series,
              ElementsAre("Burin", "Burin iterations=2000"));
  metrics::ResultRecord open = RunAt(1, 0, 9);
  open.open_loop = metrics::OpenLoop{500, {}, 0, 0, false};
  EXPECT_THAT(Studied({RunAt(1, 0, 10), open}).series, ElementsAre("Burin", "Burin rate 500"));
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
