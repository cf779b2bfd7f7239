// Signals, kills and crashes: what becomes of cells, rows and databases then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "apps/write-throughput/program.h"
#include "apps/write-throughput/sweep.h"
#include "engine/engine.h"
#include "tests/write-throughput/fake_target.h"
#include "tests/write-throughput/program.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class ProcessTest : public testing::Test {
 protected:
  ProcessTest() { settings_.folder = folder_.path(); }

  TemporaryFolder folder_;
  ProgramSettings settings_;
};

TEST_F(ProcessTest, AnInterruptEndsTheRunCleanlyAndReportsIt) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Program program(
        {"-d", "60", "-t", "4,2", "-m", "concurrent", "--verify", "--engine-option", kSmallLog},
        settings_);
    ASSERT_TRUE(program.WaitForLoad());
    kill(program.pid(), signal);
    const Finished finished = program.Wait();
    EXPECT_EQ(finished.status, 130);
    EXPECT_THAT(finished.out, StartsWith("Burin,4,100,0,"));
    EXPECT_THAT(Lines(finished.out), SizeIs(1)) << "no cell comes after it";
    EXPECT_THAT(finished.err, AllOf(HasSubstr("nterrupted"), HasSubstr("rows verified")));
    EXPECT_THAT(folder_.Names(), IsEmpty());
  }
}

TEST_F(ProcessTest, ABackgroundJobHeedsAnInterruptToo) {
  settings_.ignore_interrupts = true;
  Program program({"-d", "60", "--engine", "null", "-q"}, settings_);
  ASSERT_TRUE(program.WaitForLoad());
  kill(program.pid(), SIGINT);
  EXPECT_EQ(program.Wait().status, 130);
}

TEST_F(ProcessTest, TheThirdInterruptKillsACellThatDoesNotEnd) {
  Program program({"-d", "60", "--engine", "null", "-q"}, settings_);
  const auto cell = program.WaitForLoad();
  ASSERT_TRUE(cell);
  kill(*cell, SIGSTOP);
  for (int i = 0; i < 3; ++i) {
    kill(program.pid(), i == 0 ? SIGINT : i == 1 ? SIGTERM : SIGHUP);
  }
  const Finished finished = program.Wait();
  EXPECT_EQ(finished.status, 130);
  EXPECT_EQ(finished.out, "");
}

TEST_F(ProcessTest, ACellDiesWithItsStarterAndTheNextRunStarts) {
  const std::vector<std::string> words = {
      "-t",     "1,2", "-d", "60", "--database", "h.db", "-m", "concurrent", "--engine-option",
      kSmallLog};
  for (const bool stopped : {false, true}) {
    Program program(words, settings_);
    const auto cell = program.WaitForLoad();
    ASSERT_TRUE(cell);
    if (stopped) kill(program.pid(), SIGSTOP);
    kill(program.pid(), SIGKILL);
    program.Wait();
    EXPECT_TRUE(WaitUntilGone(*cell));
    const Finished next = RunProgram({"-i", "2", "--database", "h.db", "-q"}, settings_);
    EXPECT_EQ(next.status, 0) << next.err;
    EXPECT_THAT(folder_.Names(), IsEmpty());
  }
}

TEST_F(ProcessTest, ADatabaseInUseIsRefusedAndNamesItsProcess) {
  Program program({"-d", "60", "--database", "h.db", "-m", "concurrent"}, settings_);
  const auto cell = program.WaitForLoad();
  ASSERT_TRUE(cell);
  const Finished second = RunProgram({"--database", "h.db"}, settings_);
  EXPECT_EQ(second.status, 2);
  EXPECT_EQ(second.out, "");
  EXPECT_THAT(Lines(second.err), SizeIs(1));
  EXPECT_THAT(second.err, AllOf(HasSubstr("--database 'h.db': in use"),
                                HasSubstr("process " + std::to_string(*cell))));
  EXPECT_TRUE(Runs(*cell)) << "and it goes on";
}

TEST_F(ProcessTest, AKilledCellCostsItsRowAlone) {
  Program program({"-t", "2,1", "-d", "1", "--database", "h.db", "-q", "-m", "concurrent"},
                  settings_);
  const auto cell = program.WaitForLoad();
  ASSERT_TRUE(cell);
  kill(*cell, SIGKILL);
  const Finished finished = program.Wait();
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.out, StartsWith("Burin,1,100,0,"));
  EXPECT_THAT(finished.err, AllOf(HasSubstr("cell 1 (burin, concurrent, fx, -t 2 -b 100"),
                                  HasSubstr("killed by signal 9")));
  EXPECT_THAT(folder_.Names(), IsEmpty()) << "its database is removed all the same";
}

TEST_F(ProcessTest, AFullDiskIsTheEnginesErrorAndAcknowledgedRowsAreThere) {
  settings_.file_size_limit = 3 << 20;  // the log cannot have a segment of 4 MiB
  const Finished finished =
      RunProgram({"--engine-option", "segment-bytes=4194304", "-q"}, settings_);
  EXPECT_EQ(finished.status, 1);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(Lines(finished.err), SizeIs(1));
  EXPECT_THAT(finished.err, HasSubstr("write_throughput_test.db/"));
}

// Sweeps over a target that misbehaves, in this process as far as it goes.
class SweepTest : public testing::Test {
 protected:
  SweepTest() : info_(FakeTargetInfo(database_)) {
    options_ = *ParseOptions({"prog", "-t", "1,2,3", "-i", "3", "-b", "1", "--counters", "none"});
    options_.engines = {&info_};
    options_.report.output_path = folder_ / "rows.csv";
    options_.report.summary = SummaryForm::kNone;
  }

  // The exit status; what was said goes to said_.
  int Run() {
    Report report(options_.report);
    EXPECT_TRUE(report.Open());
    const std::vector<Cell> cells = MakeCells(options_);
    testing::internal::CaptureStderr();
    const auto plan = PlanRuns(static_cast<int>(cells.size()), options_.repeats, {}, {});
    const int status = Sweep(options_, cells, values_, interrupt_, report).Run(plan, {});
    said_ = testing::internal::GetCapturedStderr();
    return status;
  }

  std::vector<std::string> Rows() const { return Lines(folder_.Read("rows.csv")); }

  TemporaryFolder folder_;
  FakeDatabase database_;
  const TargetInfo info_;
  Options options_;
  const Values values_ = Values::Plain();
  Interrupt interrupt_{Interrupt::Of::kProgram};
  std::string said_;
};

TEST_F(SweepTest, EachCellHasAProcessOfItsOwn) {
  EXPECT_EQ(Run(), kExitDone);
  EXPECT_THAT(Rows(), SizeIs(3));
  EXPECT_EQ(said_, "");
  EXPECT_TRUE(database_.rows.empty()) << "what a cell wrote to memory died with it";
}

TEST_F(SweepTest, ACrashedCellCostsItsRowAlone) {
  options_.repeats = 2;
  database_.misbehaviour.on_insert = [](int64_t id) {
    if (id == 4) kill(getpid(), SIGKILL);  // thread 1's second row
  };
  options_.threads = {1, 2};
  EXPECT_EQ(Run(), kExitFailed);
  EXPECT_THAT(Rows(), testing::Each(StartsWith("Fake,1,1,0,")));
  EXPECT_THAT(Rows(), SizeIs(2));
  EXPECT_THAT(said_, HasSubstr("cell 2 (fake, legacy, -t 2 -b 1 --compute 0): run 2: the cell's "
                               "process was killed by signal 9 (Killed)"));
}

TEST_F(SweepTest, ACellThatLeavesWithoutAWordIsAFailure) {
  database_.misbehaviour.on_insert = [](int64_t id) {
    if (id == 7) _exit(0);
  };
  EXPECT_EQ(Run(), kExitFailed);
  EXPECT_THAT(Rows(), SizeIs(2));
  EXPECT_THAT(said_, HasSubstr("status 0 and without a result"));
}

TEST_F(SweepTest, AFailureIsTheEnginesOwnOnOneLine) {
  database_.misbehaviour.create_failure = "no\nroom";
  EXPECT_EQ(Run(), kExitFailed);
  EXPECT_THAT(Rows(), IsEmpty());
  EXPECT_THAT(Lines(said_), SizeIs(3));
  EXPECT_THAT(said_, HasSubstr("--compute 0): no\\nroom\n"));
}

TEST_F(SweepTest, WhatAnEnginePrintsDoesNotGetIntoTheRows) {
  options_.report.output_path.clear();
  options_.threads = {1};
  database_.misbehaviour.on_insert = [](int64_t) {
    EXPECT_EQ(write(STDOUT_FILENO, "noise\n", 6), 6);
  };
  testing::internal::CaptureStdout();
  EXPECT_EQ(Run(), kExitDone);
  EXPECT_THAT(Lines(testing::internal::GetCapturedStdout()), SizeIs(1));
  EXPECT_THAT(said_, HasSubstr("noise"));
}

}  // namespace
}  // namespace throughput
