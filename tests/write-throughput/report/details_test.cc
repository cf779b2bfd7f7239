#include "apps/write-throughput/report/details.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/write-throughput/report/records.h"

namespace throughput {
namespace {

using metrics::CounterStatus;
using metrics::ResultRecord;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

std::string DetailsOf(const ResultRecord& run) { return Details(std::vector{run}, 1, true); }

template <typename Change>
std::string DetailsWith(Change change) {
  return DetailsOf(With(ExampleRecord(), change));
}

TEST(Details, AreThisForTheExample) {
  const std::string text = DetailsWith([](ResultRecord& run) {
    run.commit_latency_ns = {};
    run.commit_latency_ns.Record(800, 10000);  // values below 1024 ns are kept exactly
  });
  EXPECT_EQ(text, R"(
         1,000,000      rows                             #       108,480.75 rows/s
            10,000      transactions                     #         1,084.81 transactions/s

           per row                                       #  per transaction
         19,887.10      instructions                     #     1,988,710.25
         11,593.17      cycles                           #     1,159,316.60
          2,838.65 nsec task-clock                       #       283,865.00 nsec
             0.010      syncs                            #             1.00
            113.49      bytes written                    #        11,349.12
             67.11      bytes zero-filled ahead          #         6,710.89

               p50           p90           p99         p99.9           max
              0.80          0.80          0.80          0.80          0.80  usec commit latency

             12.40 usec start skew
              2.50 %    harness's own share              # of the load threads' time
                 0      retries                          #                0 conflicts

 Software counters are from perf events.

)");
}

TEST(Details, HaveNoTrailingBlanks) {
  for (const std::string& line : LinesOf(DetailsOf(ExampleRecord()))) {
    EXPECT_THAT(line, Not(EndsWith(" ")));
  }
}

TEST(Details, WithoutBigNumbersHaveNoGroups) {
  const std::string text = Details(std::vector{ExampleRecord()}, 1, false);
  EXPECT_THAT(text, Not(testing::ContainsRegex("[0-9],[0-9]")));
}

TEST(Details, ShowOnlyTheCountersThatCounted) {
  const std::string text = DetailsWith([](ResultRecord& run) {
    run.counters = {Counted("task-clock", 1e9), Missing("instructions", CounterStatus::kSuspect),
                    Missing("cycles", CounterStatus::kNotCounted)};
  });
  EXPECT_THAT(text, HasSubstr("task-clock"));
  EXPECT_THAT(text, Not(HasSubstr("instructions")));
  EXPECT_THAT(text, Not(HasSubstr("cycles")));
}

TEST(Details, NameTheModifiersOfACounter) {
  EXPECT_THAT(
      DetailsWith([](ResultRecord& run) { run.counters = {Counted("instructions", 1e6, "u")}; }),
      HasSubstr("              1.00      instructions:u "));
}

TEST(Details, SayNothingOfZeroFilledBytesWhereThereAreNone) {
  EXPECT_THAT(DetailsWith([](ResultRecord& run) { run.bytes_prepared = 0; }),
              Not(HasSubstr("zero-filled")));
}

TEST(Details, ShowTheSlowestAndTheFastestOfSeveralThreads) {
  const std::string text = DetailsWith([](ResultRecord& run) {
    run.threads = 3;
    run.rows_per_thread = {333300, 333400, 333300};
  });
  EXPECT_EQ(
      LineWith(text, "slowest thread"),
      "           333,300      rows of the slowest thread       #          333,400 of the fastest");
}

TEST(Details, ShowRetriesConflictsDoubtsAndVerifiedRows) {
  const std::string text = DetailsWith([](ResultRecord& run) {
    run.retries = 1234;
    run.conflicts = 1200;
    run.in_doubt = 3;
    run.verified = true;
    run.rows_verified = 1000100;
  });
  EXPECT_EQ(
      LineWith(text, "retries"),
      "             1,234      retries                          #            1,200 conflicts");
  EXPECT_EQ(LineWith(text, "doubt"), "                 3      transactions in doubt");
  EXPECT_EQ(LineWith(text, "verified"), "         1,000,100      rows verified");
}

TEST(Details, ShowZeroVerifiedRowsWhereVerifyingFoundNone) {
  EXPECT_EQ(LineWith(DetailsWith([](ResultRecord& run) { run.verified = true; }), "verified"),
            "                 0      rows verified");
}

TEST(Details, MarkAnInterruptedRunFirst) {
  const std::string text = DetailsWith([](ResultRecord& run) { run.interrupted = true; });
  EXPECT_EQ(LinesOf(text)[1], " Interrupted: the figures end where the run was stopped.");
}

TEST(Details, StandForARunThatDidNothing) {
  const std::string text = DetailsWith([](ResultRecord& run) {
    run.rows = run.transactions = 0;
    run.seconds = 0;
    run.commit_latency_ns = {};
    run.interrupted = true;
  });
  EXPECT_EQ(text, R"(
 Interrupted: the figures end where the run was stopped.

                 0      rows
                 0      transactions

             12.40 usec start skew
              2.50 %    harness's own share              # of the load threads' time
                 0      retries                          #                0 conflicts

 Software counters are from perf events.

)");
}

TEST(DetailsOfRepeats, AreMeansWithTheirErrors) {
  const auto run = [](double seconds, int64_t conflicts) {
    return With(ExampleRecord(), [&](ResultRecord& record) {
      record.seconds = seconds;
      record.conflicts = conflicts;
    });
  };
  const std::string text = Details(std::vector{run(10, 0), run(8, 1)}, 2, true);
  EXPECT_EQ(
      LineWith(text, "rows/s"),
      "         1,000,000      rows                             #       112,500.00 rows/s     "
      "      ( +- 11.11% )");
  EXPECT_THAT(LineWith(text, "retries"), EndsWith("0.50 conflicts"));
  EXPECT_THAT(LineWith(text, "instructions"), EndsWith("1,988,710.25"));
}

// With a duration the runs differ in rows, so that the error of the count says little.
TEST(DetailsOfRepeats, ShowTheErrorOfThePerRowFigureNotOfTheCount) {
  const auto run = [](int64_t rows) {
    return With(WithCounter(ExampleRecord(), "instructions", 100.0 * static_cast<double>(rows)),
                [&](ResultRecord& record) { record.rows = rows; });
  };
  const std::string text = Details(std::vector{run(1000000), run(2000000)}, 2, true);
  EXPECT_THAT(LineWith(text, "instructions"), HasSubstr("            100.00      instructions"));
  EXPECT_THAT(LineWith(text, "instructions"), Not(HasSubstr("+-")));
}

TEST(DetailsOfRepeats, TakePercentilesOverTheCommitsOfAllRuns) {
  const auto run = [](int64_t latency_ns, uint64_t commits) {
    return With(ExampleRecord(), [&](ResultRecord& record) {
      record.commit_latency_ns = {};
      record.commit_latency_ns.Record(latency_ns, commits);
    });
  };
  const std::string text = Details(std::vector{run(100, 89), run(1000, 11)}, 2, true);
  EXPECT_EQ(
      LineWith(text, "usec commit latency"),
      "              0.10          1.00          1.00          1.00          1.00  usec commit "
      "latency");
}

TEST(DetailsOfAnOpenLoop, ShowServiceTimeBesideLatencyAndTheBacklog) {
  const auto run = [](bool saturated) {
    return With(ExampleRecord(), [&](ResultRecord& record) {
      record.open_loop = metrics::OpenLoop{2500, {}, 1700, 5, saturated};
      record.open_loop->service_ns.Record(1000);
    });
  };
  const std::string text = Details(std::vector{run(true)}, 1, true);
  EXPECT_THAT(text, HasSubstr("usec latency from the intended start\n"));
  EXPECT_EQ(LineWith(text, "usec service time"),
            "              1.00          1.00          1.00          1.00          1.00  usec "
            "service time");
  EXPECT_THAT(LineWith(text, "transactions/s asked"), HasSubstr(" 2,500 "));
  EXPECT_EQ(
      LineWith(text, "most transactions waiting"),
      "             1,700      most transactions waiting        #                5 at the end");
  EXPECT_EQ(LineWith(text, "saturated"), "         saturated");
  EXPECT_THAT(LineWith(Details(std::vector{run(true), run(false)}, 2, true), "saturated"),
              HasSubstr("saturated      in 1 of 2 runs"));
  EXPECT_THAT(Details(std::vector{run(false)}, 1, true), Not(HasSubstr("saturated")));
  EXPECT_THAT(Details(std::vector{ExampleRecord()}, 1, true), Not(HasSubstr("waiting")));
}

TEST(DetailsOfRepeats, SayWhenRunsAreMissing) {
  EXPECT_THAT(Details(std::vector{ExampleRecord(), ExampleRecord()}, 5, true),
              HasSubstr(" 2 of 5 runs came to a result; the figures are of these.\n"));
  EXPECT_THAT(Details(std::vector{ExampleRecord()}, 5, true),
              HasSubstr(" 1 of 5 runs came to a result; the figures are of this one.\n"));
  EXPECT_THAT(Details(std::vector{ExampleRecord(), ExampleRecord()}, 2, true),
              Not(HasSubstr("came to a result")));
}

TEST(CounterNotes, SayWhyHardwareCountersAreMissing) {
  EXPECT_THAT(
      DetailsWith([](ResultRecord& run) { run.counters_note = "no PMU\nin this machine"; }),
      EndsWith(
          "conflicts\n\n Software counters are from perf events.\n no PMU\\nin this machine\n\n"));
}

TEST(CounterNotes, NameTheCountersThatShareACauseTogether) {
  const std::string text = DetailsWith([](ResultRecord& run) {
    run.counters = {
        Missing("cycles", CounterStatus::kSuspect, "reads 0 in the self-test"),
        Missing("LLC-loads", CounterStatus::kNotSupported, "this CPU has no such event"),
        Missing("branches", CounterStatus::kSuspect, "reads 0 in the self-test")};
  });
  EXPECT_THAT(text, EndsWith("\n cycles, branches: reads 0 in the self-test\n"
                             " LLC-loads: this CPU has no such event\n\n"));
}

TEST(CounterNotes, SayWhereTheSoftwareCountersComeFrom) {
  const auto from = [](const char* faults, const char* migrations) {
    return DetailsWith([&](ResultRecord& run) {
      run.counters[1].source = faults;
      run.counters[2].source = migrations;
      run.counters.resize(3);
    });
  };
  EXPECT_THAT(from("perf", "perf"), HasSubstr("\n Software counters are from perf events.\n"));
  EXPECT_THAT(from("rusage", "proc"),
              HasSubstr("\n Software counters are from perf events (task-clock), getrusage "
                        "(context-switches), /proc (cpu-migrations).\n"));
  EXPECT_THAT(DetailsWith([](ResultRecord& run) { run.counters.clear(); }),
              Not(HasSubstr("Software counters")));
}

TEST(Details, OfTheProcessScopeSayWhichFiguresAreTheWindows) {
  EXPECT_THAT(DetailsWith([](ResultRecord& run) {
                run.process = metrics::ProcessSpan{10, 2, 1};
              }),
              HasSubstr("are of the whole process, from its exec to its exit; rates"));
}

TEST(CounterNotes, DoNotRepeatWhatTheNoteSays) {
  const std::string text = DetailsWith([](ResultRecord& run) {
    run.counters_note = "no hardware counters: this machine has no PMU";
    run.counters = {Missing("cycles", CounterStatus::kNotSupported, "this machine has no PMU")};
  });
  EXPECT_THAT(text, Not(HasSubstr("cycles:")));
}

TEST(CounterNotes, WarnOfCountersThatRanLessThan95Percent) {
  const auto multiplexed = [](uint64_t running_ns) {
    return DetailsWith([&](ResultRecord& run) {
      run.counters = {Counted("branches", 100), Counted("cycles", 100)};
      for (auto& reading : run.counters) reading.enabled_ns = reading.running_ns = 1000;
      run.counters[0].running_ns = running_ns;
      run.counters[1].running_ns = 940;
    });
  };
  EXPECT_THAT(multiplexed(750),
              HasSubstr(" branches (75.0 %), cycles (94.0 %): counted part of the time, values are "
                        "scaled up from that\n"));
  EXPECT_THAT(multiplexed(949), HasSubstr("branches (94.9 %)"));
  EXPECT_THAT(multiplexed(950), HasSubstr("\n cycles (94.0 %): counted"));
}

TEST(CounterNotes, SayWhenACounterCountedInSomeRunsOnly) {
  const auto run = [](const metrics::CounterReading& reading) {
    return With(ExampleRecord(), [&](ResultRecord& record) { record.counters = {reading}; });
  };
  const std::vector runs = {
      run(Counted("branches", 1)),
      run(Missing("branches", CounterStatus::kNotCounted, "no free counter"))};
  EXPECT_THAT(Details(runs, 2, true),
              HasSubstr(" branches: counted in 1 of 2 runs only: no free counter\n"));
}

}  // namespace
}  // namespace throughput
