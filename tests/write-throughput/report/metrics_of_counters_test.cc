#include <gtest/gtest.h>

#include "apps/write-throughput/report/counter_figures.h"
#include "tests/write-throughput/report/records.h"

namespace throughput {
namespace {

using metrics::CounterReading;
using metrics::CounterStatus;

constexpr double kWallSeconds = 2;

// The text behind "#" of the last of `readings`; of two metrics both, with a "|" between.
std::string MetricOfLast(const std::vector<CounterReading>& readings) {
  const std::vector<CounterFigure> figures = Figures(readings);
  std::string text;
  for (const CounterMetric& metric : Metrics(figures.back(), figures, kWallSeconds)) {
    text += (text.empty() ? "" : "|") + MetricText(metric);
  }
  return text;
}

// With one second of CPU time.
std::string RateOf(double count) {
  return MetricOfLast({Counted("task-clock", 1e9), Counted("page-faults", count)});
}

TEST(Rates, StepUpOnlyStrictlyAboveAThousand) {
  EXPECT_EQ(RateOf(0), "   0.000 /sec");
  EXPECT_EQ(RateOf(999), " 999.000 /sec");
  EXPECT_EQ(RateOf(1000), "1000.000 /sec");
  EXPECT_EQ(RateOf(1001), "   1.001 K/sec");
  EXPECT_EQ(RateOf(1e6), "1000.000 K/sec");
  EXPECT_EQ(RateOf(1.5e6), "   1.500 M/sec");
  EXPECT_EQ(RateOf(1.5e9), "   1.500 G/sec");
}

TEST(Rates, StopAtGiga) { EXPECT_EQ(RateOf(5e12), "5000.000 G/sec"); }

TEST(Rates, AreOfCpuTimeAndNotOfWallTime) {
  EXPECT_EQ(MetricOfLast({Counted("task-clock", 0.5e9), Counted("page-faults", 100)}),
            " 200.000 /sec");
}

TEST(Rates, AreLeftOutWithoutATaskClock) {
  EXPECT_EQ(MetricOfLast({Counted("page-faults", 100)}), "");
  EXPECT_EQ(MetricOfLast({Counted("task-clock", 0), Counted("page-faults", 100)}), "");
  EXPECT_EQ(MetricOfLast(
                {Missing("task-clock", CounterStatus::kNotSupported), Counted("page-faults", 100)}),
            "");
}

TEST(Rates, TakeTheTaskClockWhateverItsModifiers) {
  EXPECT_EQ(MetricOfLast({Counted("task-clock", 1e9), Counted("branches", 100, "u")}),
            " 100.000 /sec");
  EXPECT_EQ(MetricOfLast({Counted("task-clock", 1e9), Counted("task-clock", 2e9, "u"),
                          Counted("branches", 100, "u")}),
            "  50.000 /sec");
}

TEST(Rates, TakeTheCpuClockWhereThereIsNoTaskClock) {
  EXPECT_EQ(MetricOfLast({Counted("cpu-clock", 1e9), Counted("page-faults", 100)}),
            " 100.000 /sec");
}

TEST(TaskClock, IsShownAsCpusUtilized) {
  EXPECT_EQ(MetricOfLast({Counted("task-clock", 3e9)}), "   1.500 CPUs utilized");
  EXPECT_EQ(MetricOfLast({Counted("cpu-clock", 3e9)}), "   1.500 CPUs utilized");
}

TEST(TaskClock, HasNoMetricInAWindowOfNoTime) {
  const std::vector<CounterFigure> figures = Figures({Counted("task-clock", 3e9)});
  EXPECT_EQ(MetricText(Metrics(figures[0], figures, 0)[0]), "");
}

TEST(Cycles, AreShownInGigahertzOfCpuTime) {
  EXPECT_EQ(MetricOfLast({Counted("task-clock", 2e9), Counted("cycles", 7e9)}), "   3.500 GHz");
  EXPECT_EQ(MetricOfLast({Counted("cycles", 7e9)}), "");
}

TEST(Instructions, AreShownPerCycle) {
  EXPECT_EQ(MetricOfLast({Counted("cycles", 100), Counted("instructions", 172)}),
            "   1.72  insn per cycle");
}

TEST(Instructions, PairWithEqualModifiersOnly) {
  EXPECT_EQ(MetricOfLast({Counted("cycles", 100), Counted("instructions", 172, "u")}), "");
  EXPECT_EQ(MetricOfLast({Counted("cycles", 100, "k"), Counted("instructions", 172, "u")}), "");
  EXPECT_EQ(MetricOfLast({Counted("cycles", 50), Counted("cycles", 100, "u"),
                          Counted("instructions", 172, "u")}),
            "   1.72  insn per cycle");
}

TEST(Instructions, HaveNoMetricOverZeroOrUncountedCycles) {
  EXPECT_EQ(MetricOfLast({Counted("cycles", 0), Counted("instructions", 172)}), "");
  for (const auto status :
       {CounterStatus::kNotCounted, CounterStatus::kNotSupported, CounterStatus::kSuspect}) {
    EXPECT_EQ(MetricOfLast({Missing("cycles", status), Counted("instructions", 172)}), "");
  }
}

TEST(Instructions, TakeTheLargerOfBothStallsForTheSecondLine) {
  EXPECT_EQ(MetricOfLast({Counted("cycles", 100), Counted("stalled-cycles-frontend", 20),
                          Counted("stalled-cycles-backend", 50), Counted("instructions", 200)}),
            "   2.00  insn per cycle|   0.25  stalled cycles per insn");
}

TEST(Instructions, HaveNoSecondLineWhenNothingStalledOrNothingRan) {
  EXPECT_EQ(MetricOfLast({Counted("cycles", 100), Counted("stalled-cycles-frontend", 0),
                          Counted("instructions", 200)}),
            "   2.00  insn per cycle");
  EXPECT_EQ(MetricOfLast({Counted("cycles", 100), Counted("stalled-cycles-frontend", 10),
                          Counted("instructions", 0)}),
            "   0.00  insn per cycle");
}

TEST(Instructions, KeepTheSecondLineInItsPlaceWithoutCycles) {
  const std::vector<CounterFigure> figures =
      Figures({Counted("stalled-cycles-frontend", 50), Counted("instructions", 200)});
  const std::vector<CounterMetric> metrics = Metrics(figures[1], figures, kWallSeconds);
  ASSERT_EQ(metrics.size(), 2u);
  EXPECT_EQ(MetricText(metrics[0]), "");
  EXPECT_EQ(MetricText(metrics[1]), "   0.25  stalled cycles per insn");
}

TEST(Shares, ArePercentagesOfTheirWhole) {
  EXPECT_EQ(MetricOfLast({Counted("cycles", 1000), Counted("stalled-cycles-backend", 325)}),
            "  32.50% backend cycles idle");
  EXPECT_EQ(MetricOfLast({Counted("branches", 1000), Counted("branch-misses", 0)}),
            "   0.00% of all branches");
  EXPECT_EQ(MetricOfLast({Counted("cache-references", 1000), Counted("cache-misses", 1000)}),
            " 100.00% of all cache refs");
  EXPECT_EQ(MetricOfLast({Counted("L1-dcache-loads", 100), Counted("L1-dcache-load-misses", 5)}),
            "   5.00% of all L1-dcache accesses");
  EXPECT_EQ(MetricOfLast({Counted("L1-icache-loads", 100), Counted("L1-icache-load-misses", 5)}),
            "   5.00% of all L1-icache accesses");
  EXPECT_EQ(MetricOfLast({Counted("LLC-loads", 100), Counted("LLC-load-misses", 5)}),
            "   5.00% of all LL-cache accesses");
  EXPECT_EQ(MetricOfLast({Counted("dTLB-loads", 100), Counted("dTLB-load-misses", 5)}),
            "   5.00% of all dTLB cache accesses");
  EXPECT_EQ(MetricOfLast({Counted("iTLB-loads", 100), Counted("iTLB-load-misses", 5)}),
            "   5.00% of all iTLB cache accesses");
}

TEST(Shares, NeverFallBackToARate) {
  EXPECT_EQ(MetricOfLast({Counted("task-clock", 1e9), Counted("branch-misses", 10)}), "");
  EXPECT_EQ(MetricOfLast(
                {Counted("task-clock", 1e9), Counted("branches", 0), Counted("branch-misses", 10)}),
            "");
  EXPECT_EQ(MetricOfLast({Counted("task-clock", 1e9), Counted("branches", 100, "u"),
                          Counted("branch-misses", 10)}),
            "");
}

TEST(Shares, KnowAnEventUnderItsOtherNames) {
  CounterReading cycles = Counted("cpu-cycles", 100);
  cycles.generic = "cycles";
  CounterReading instructions = Counted("perf::INSTRUCTIONS", 172);
  instructions.generic = "instructions";
  EXPECT_EQ(MetricOfLast({cycles, instructions}), "   1.72  insn per cycle");
}

TEST(UncountedEvents, HaveNoMetric) {
  for (const auto status :
       {CounterStatus::kNotCounted, CounterStatus::kNotSupported, CounterStatus::kSuspect}) {
    EXPECT_EQ(MetricOfLast({Counted("task-clock", 1e9), Missing("cycles", status)}), "");
  }
}

}  // namespace
}  // namespace throughput
