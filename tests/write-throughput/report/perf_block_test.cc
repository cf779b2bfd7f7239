#include "apps/write-throughput/report/perf_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/write-throughput/report/records.h"

namespace throughput {
namespace {

using metrics::CounterStatus;
using metrics::ResultRecord;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

std::string Block(const std::vector<ResultRecord>& runs, bool big_numbers = true) {
  return PerfBlock(runs, ExampleArguments(), big_numbers);
}

std::string BlockOf(const metrics::CounterReading& reading) {
  return Block({With(ExampleRecord(), [&](auto& run) { run.counters = {reading}; })});
}

TEST(PerfBlock, IsTheExampleToTheLetter) {
  EXPECT_EQ(Block({ExampleRecord()}), R"(
 Performance counter stats for '../../../target/release/write-throughput --threads 1 --batch-size 100 --compute 0 -i 10000':

          2,838.65 msec task-clock                       #    0.308 CPUs utilized
            30,629      context-switches                 #   10.790 K/sec
               351      cpu-migrations                   #  123.650 /sec
               818      page-faults                      #  288.165 /sec
    19,887,102,451      instructions                     #    1.72  insn per cycle
                                                  #    0.14  stalled cycles per insn
    11,593,166,024      cycles                           #    4.084 GHz
     2,830,298,617      stalled-cycles-frontend          #   24.41% frontend cycles idle
     3,764,334,333      branches                         #    1.326 G/sec
        53,157,766      branch-misses                    #    1.41% of all branches

       9.218225731 seconds time elapsed

       2.231889000 seconds user
       0.508785000 seconds sys
)");
}

// The figures and the text are those of `perf stat record` and `perf stat report`, perf 6.1.
TEST(PerfBlock, SaysWhatPerfSaysOfTheSameFigures) {
  const ResultRecord run = With(ExampleRecord(), [](ResultRecord& record) {
    record.seconds = 0.006901517;
    record.counters = {Counted("task-clock", 6709969), Counted("context-switches", 17),
                       Counted("cpu-migrations", 0), Counted("page-faults", 670),
                       Missing("cycles", CounterStatus::kNotSupported)};
  });
  EXPECT_THAT(Block({run}), HasSubstr(R"(
              6.71 msec task-clock                       #    0.972 CPUs utilized
                17      context-switches                 #    2.534 K/sec
                 0      cpu-migrations                   #    0.000 /sec
               670      page-faults                      #   99.851 K/sec
   <not supported>      cycles

       0.006901517 seconds time elapsed
)"));
}

TEST(PerfBlock, HasNoTrailingBlanks) {
  const ResultRecord other = WithCounter(ExampleRecord(), "cycles", 1e10);
  for (const std::string& block : {Block({ExampleRecord()}), Block({ExampleRecord(), other})}) {
    for (const std::string& line : LinesOf(block)) EXPECT_THAT(line, Not(EndsWith(" ")));
  }
}

TEST(PerfBlock, WithoutBigNumbersHasNoGroups) {
  const std::string block = Block({ExampleRecord()}, false);
  EXPECT_EQ(LineWith(block, "task-clock"),
            "           2838.65 msec task-clock                       #    0.308 CPUs utilized");
  EXPECT_EQ(LineWith(block, "instructions"),
            "       19887102451      instructions                     #    1.72  insn per cycle");
}

TEST(PerfBlock, ShowsABackendStallInItsOwnLine) {
  const ResultRecord run = With(ExampleRecord(), [](ResultRecord& record) {
    record.counters = {Counted("cycles", 1000), Counted("stalled-cycles-backend", 250)};
  });
  EXPECT_EQ(
      LineWith(Block({run}), "backend"),
      "               250      stalled-cycles-backend           #   25.00% backend cycles idle");
}

TEST(PerfBlock, NamesModifiersBehindTheEvent) {
  EXPECT_EQ(LineWith(BlockOf(Counted("cycles", 5, "u")), "cycles:u"),
            "                 5      cycles:u");
}

TEST(PerfBlock, MarksWhatDidNotCount) {
  EXPECT_EQ(LineWith(BlockOf(Missing("cycles", CounterStatus::kNotSupported)), "cycles"),
            "   <not supported>      cycles");
  EXPECT_EQ(LineWith(BlockOf(Missing("cycles", CounterStatus::kSuspect)), "cycles"),
            "         <suspect>      cycles");
  EXPECT_EQ(LineWith(BlockOf(Missing("cycles", CounterStatus::kNotCounted)), "cycles"),
            "     <not counted>      cycles" + std::string(61, ' ') + "  (0.00%)");
}

TEST(PerfBlock, ShowsTheShareOfTimeOfAMultiplexedCounter) {
  metrics::CounterReading reading = Counted("branches", 5677300);
  reading.enabled_ns = 1000000;
  reading.running_ns = 750000;
  const ResultRecord run = With(ExampleRecord(), [&](ResultRecord& record) {
    record.counters = {Counted("task-clock", 2838650000), reading};
  });
  EXPECT_EQ(
      LineWith(Block({run}), "branches"),
      "         5,677,300      branches                         #    2.000 M/sec              "
      "      (75.00%)");
}

TEST(PerfBlock, SaysNothingOfAShareForACounterThatIsNotTimed) {
  metrics::CounterReading reading = Counted("task-clock", 2838650000);
  reading.running_ns = 0;
  EXPECT_THAT(BlockOf(reading), Not(HasSubstr("%)")));
}

TEST(PerfBlock, PutsTheMarkOfInstructionsOnTheirLastLine) {
  ResultRecord run = ExampleRecord();
  run.counters[4].running_ns /= 2;
  const std::string block = Block({run});
  EXPECT_THAT(LineWith(block, "instructions"), EndsWith("insn per cycle"));
  EXPECT_THAT(LineWith(block, "stalled cycles per insn"), EndsWith("  (50.00%)"));
}

TEST(PerfBlock, KeepsAHeaderOfOneLineWhateverTheArgumentsHold) {
  const std::string block =
      PerfBlock(std::vector{ExampleRecord()}, {"wt", "--database", "q\"b\\s\tn\nl\xff.db"}, true);
  EXPECT_EQ(LinesOf(block)[1],
            " Performance counter stats for 'wt --database q\"b\\s\\tn\\nl\uFFFD.db':");
  EXPECT_EQ(LinesOf(block)[2], "");
}

TEST(PerfBlock, KeepsAnEventNameOnItsLine) {
  EXPECT_THAT(BlockOf(Counted("odd\nname", 1)), HasSubstr("1      odd\\nname"));
}

TEST(PerfBlock, WithoutCountersIsTheTimesAlone) {
  const ResultRecord run =
      With(ExampleRecord(), [](ResultRecord& record) { record.counters = {}; });
  EXPECT_EQ(PerfBlock(std::vector{run}, {"write-throughput", "--counters", "none"}, true), R"(
 Times of 'write-throughput --counters none':

       9.218225731 seconds time elapsed

       2.231889000 seconds user
       0.508785000 seconds sys
)");
}

TEST(PerfBlock, OfTheProcessScopeHasTheProcesssTimes) {
  const ResultRecord run = With(ExampleRecord(), [](ResultRecord& record) {
    record.process = metrics::ProcessSpan{28.3865, 2.5, 0.75};
  });
  const std::string block = PerfBlock(std::vector{run}, ExampleArguments(), true);
  EXPECT_THAT(block, testing::HasSubstr("0.100 CPUs utilized"));
  EXPECT_THAT(block, testing::HasSubstr("      28.386500000 seconds time elapsed\n\n"
                                        "       2.500000000 seconds user\n"
                                        "       0.750000000 seconds sys\n"));
}

TEST(Repeats, ShowTheMeanAndTheStandardErrorOfTheMean) {
  // Mean 12, standard deviation 2, standard error 2 / sqrt(3), of 12: 9.62 %.
  const std::string block = Block({WithCounter(ExampleRecord(), "page-faults", 10),
                                   WithCounter(ExampleRecord(), "page-faults", 12),
                                   WithCounter(ExampleRecord(), "page-faults", 14)});
  EXPECT_EQ(
      LineWith(block, "page-faults"),
      "                12      page-faults                      #    4.227 /sec               "
      "      ( +-  9.62% )");
  EXPECT_EQ(LineWith(block, "Performance"), LineWith(block, "' (3 runs):"));
}

TEST(Repeats, LeaveOutAnErrorOfExactlyZero) {
  const std::string block = Block({ExampleRecord(), ExampleRecord()});
  EXPECT_THAT(block, Not(HasSubstr("+- 0.00%")));
  EXPECT_THAT(LineWith(block, "cycles  "), EndsWith("GHz"));
}

TEST(Repeats, LeaveOutTheErrorOfAMeanOfZero) {
  const std::string block = Block({WithCounter(ExampleRecord(), "cpu-migrations", 0),
                                   WithCounter(ExampleRecord(), "cpu-migrations", 0)});
  EXPECT_THAT(LineWith(block, "cpu-migrations"), EndsWith("0.000 /sec"));
}

TEST(Repeats, PutTheErrorBeforeTheShareOfTime) {
  ResultRecord first = ExampleRecord();
  first.counters = {Counted("branches", 100)};
  first.counters[0].running_ns /= 2;
  ResultRecord second = first;
  second.counters[0].value = 300;
  EXPECT_THAT(LineWith(Block({first, second}), "branches"), EndsWith("  ( +- 50.00% )  (50.00%)"));
}

TEST(Repeats, ComputeMetricsFromTheMeans) {
  ResultRecord first = WithCounter(ExampleRecord(), "cycles", 100);
  ResultRecord second = WithCounter(ExampleRecord(), "cycles", 300);
  first = WithCounter(first, "instructions", 100);
  second = WithCounter(second, "instructions", 900);
  EXPECT_THAT(LineWith(Block({first, second}), "insn per cycle"), HasSubstr("   2.50  insn"));
}

// As perf prints them: two digits more than the error has zeros behind the point.
TEST(Repeats, EndWithTheMeanTimeAndItsError) {
  const auto runs = [](double a, double b) {
    return std::vector{With(ExampleRecord(), [&](auto& run) { run.seconds = a; }),
                       With(ExampleRecord(), [&](auto& run) { run.seconds = b; })};
  };
  const std::string block = Block(runs(9.2, 9.4));
  EXPECT_THAT(block,
              EndsWith("\n\n             9.300 +- 0.100 seconds time elapsed  ( +-  1.08% )\n"));
  EXPECT_THAT(block, Not(HasSubstr("seconds user")));
  EXPECT_THAT(block, Not(HasSubstr("seconds sys")));
  EXPECT_THAT(Block(runs(0.001027, 0.001319)),
              EndsWith("          0.001173 +- 0.000146 seconds time elapsed  ( +- 12.45% )\n"));
  EXPECT_THAT(Block(runs(100, 110)),
              EndsWith("            105.00 +- 5.00 seconds time elapsed  ( +-  4.76% )\n"));
  EXPECT_THAT(Block(runs(100, 200)),
              EndsWith("            150.00 +- 50.00 seconds time elapsed  ( +- 33.33% )\n"));
  EXPECT_THAT(Block(runs(2, 2)),
              EndsWith("       2.000000000 +- 0.000000000 seconds time elapsed\n"));
}

TEST(Repeats, AreMeansOfTheRunsThatCounted) {
  ResultRecord first = ExampleRecord();
  first.counters = {Counted("branches", 100)};
  ResultRecord second = first;
  second.counters = {Missing("branches", CounterStatus::kNotCounted)};
  ResultRecord third = first;
  third.counters = {};
  EXPECT_EQ(LineWith(Block({first, second, third}), "branches"),
            "               100      branches");
}

TEST(Repeats, AreSuspectWhenOneRunIs) {
  ResultRecord first = ExampleRecord();
  first.counters = {Counted("branches", 100)};
  ResultRecord second = first;
  second.counters = {Missing("branches", CounterStatus::kSuspect)};
  EXPECT_EQ(LineWith(Block({first, second}), "branches"), "         <suspect>      branches");
}

}  // namespace
}  // namespace throughput
