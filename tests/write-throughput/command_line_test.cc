// The built program at the command line: what it prints where, what it refuses, what it leaves.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/engine.h"
#include "nlohmann/json.hpp"
#include "tests/write-throughput/program.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::SizeIs;
using testing::StartsWith;

class CommandLineTest : public testing::Test {
 protected:
  CommandLineTest() { settings_.folder = folder_.path(); }

  Finished Run(const std::vector<std::string>& arguments) {
    return RunProgram(arguments, settings_);
  }

  // Exit 2, one line, nothing on stdout.
  std::string Refusal(const std::vector<std::string>& arguments) {
    const Finished finished = Run(arguments);
    EXPECT_EQ(finished.status, 2) << finished.err;
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(Lines(finished.err), SizeIs(1)) << finished.err;
    EXPECT_THAT(finished.err, StartsWith("write-throughput: "));
    return finished.err;
  }

  TemporaryFolder folder_;
  ProgramSettings settings_;
};

// The first four columns of rows; the fifth is never twice the same.
std::vector<std::string> Keys(const std::string& rows) {
  std::vector<std::string> keys;
  for (const std::string& line : Lines(rows)) keys.push_back(line.substr(0, line.rfind(',')));
  return keys;
}

TEST_F(CommandLineTest, TheRowGoesToStdoutTheSummaryToStderrAndTheDatabaseAway) {
  const Finished finished = Run({});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_THAT(finished.out, MatchesRegex("Burin,1,100,0,[0-9]+\\.[0-9][0-9]\n"));
  EXPECT_THAT(finished.err, HasSubstr("Performance counter stats for 'write-throughput':"));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(CommandLineTest, QuietLeavesTheRowAlone) {
  const Finished finished = Run({"-q", "-i", "3", "-t", "2", "-b", "7", "--compute", "5"});
  EXPECT_EQ(finished.err, "");
  EXPECT_THAT(finished.out, StartsWith("Burin,2,7,5,"));
}

TEST_F(CommandLineTest, EveryModeWritesWhatVerifyFinds) {
  const Finished finished =
      Run({"-m", "legacy,mvcc,logical-log,concurrent,mvcc-truncate,mvcc-passive", "-t", "4", "-i",
           "10", "--compute", "10", "--verify", "--format", "json", "--hasher", "fx,sip13",
           "--engine-option", kSmallLog});
  EXPECT_EQ(finished.status, 0) << finished.err;
  const auto rows = Lines(finished.out);
  ASSERT_THAT(rows, SizeIs(12));
  for (const std::string& row : rows) {
    EXPECT_EQ(nlohmann::json::parse(row).at("rows_verified"), 4000);
  }
}

TEST_F(CommandLineTest, ADurationWithWarmupIsVerifiedToo) {
  for (const char* mode : {"legacy", "concurrent"}) {
    const Finished finished =
        Run({"-d", "0.1", "--warmup", "0.05", "-t", "2", "-m", mode, "--verify", "--value-size",
             "50", "--format", "json", "-q", "--engine-option", kSmallLog});
    ASSERT_EQ(finished.status, 0) << finished.err;
    const auto record = nlohmann::json::parse(finished.out);
    EXPECT_GT(record.at("rows_verified"), record.at("rows"));
  }
}

TEST_F(CommandLineTest, ManyThreadsOnFewCores) {
  EXPECT_THAT(Run({"-t", "256", "-i", "2", "-m", "concurrent", "--verify", "-q"}).out,
              StartsWith("Burin,256,100,0,"));
}

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

TEST_F(CommandLineTest, WithoutValgrindCallgrindIsRefusedAndThePackageNamed) {
  settings_.environment["PATH"] = folder_.path();
  EXPECT_THAT(Refusal({"--counters", "callgrind"}), HasSubstr("package valgrind"));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(CommandLineTest, TheSecondRunsDatabaseReplacesNothingForeignEither) {
  if (access("/usr/bin/valgrind", X_OK) != 0) GTEST_SKIP() << "there is no valgrind";
  folder_.Write("x.db.callgrind", "precious");
  EXPECT_THAT(Refusal({"--counters", "callgrind", "--database", "x.db"}),
              HasSubstr("'x.db.callgrind'"));
  EXPECT_EQ(folder_.Read("x.db.callgrind"), "precious");
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

TEST_F(CommandLineTest, PrintsAndLeaves) {
  for (const char* flag : {"--help", "--version", "--list-engines"}) {
    const Finished finished = Run({flag});
    EXPECT_EQ(finished.status, 0);
    EXPECT_EQ(finished.err, "");
    EXPECT_FALSE(finished.out.empty());
  }
  EXPECT_THAT(Run({"--list-events", "page-faults"}).out, HasSubstr("page-faults"));
  EXPECT_THAT(Refusal({"--list-events", "no such word"}), HasSubstr("'no such word'"));
}

TEST_F(CommandLineTest, BadInputIsRefusedAndTouchesNothing) {
  const std::vector<std::vector<std::string>> inputs = {
      {"--bogus"},
      {"leftover"},
      {"-t", "0"},
      {"-b", "-1"},
      {"-i", "10000000000000000000"},
      {"-t", "1,,2"},
      {"-t", "1,2,"},
      {"--compute", "1.5x"},
      {"--csv", "--threads", "4"},
      {"--database", "--threads", "4"},
      {"-m", "fast"},
      {"--engine", "oracle"},
      {"--hasher", "md5"},
      {"--format", "xml"},
      {"-i", "5", "-d", "5"},
      {"--keep", "-t", "1,2"},
      {"-t", "1024", "-b", "1000000000", "-i", "1000000000000"},
      {"-d", "1,5"},
      {"-e", "no-such-event"},
      {"-e", "cycles,{}"},
      {"-e", "cycles:z"},
      {"-e", "{cycles"},
      {"--interval", "0"},
      {"-q", "--summary-output", "summary"},
      {"--summary", "none", "--summary-output", "summary"},
      {"--database", "missing/x.db"},
      {"--database", "/proc/x.db"},
      {"--data-file", "missing"},
      {"--data-file", "."},
      {"-o", "missing/rows.csv"},
      {"-o", "."},
      {"--summary-output", "missing/summary"},
      {"-o", "write_throughput_test.db"},
      {"-o", "new.csv", "--summary-output", "missing/summary"},
      {"-o", "new.csv", "--database", "missing/x.db"},
  };
  for (const auto& input : inputs) {
    Refusal(input);
    EXPECT_THAT(folder_.Names(), IsEmpty()) << testing::PrintToString(input);
  }
}

TEST_F(CommandLineTest, ARefusalLeavesAnOldOutputAsItWas) {
  folder_.Write("rows.csv", "old\n");
  Refusal({"-o", "rows.csv", "--summary-output", "missing/summary"});
  Refusal({"-o", "rows.csv", "-t", "0"});
  Refusal({"-o", "rows.csv", "--database", "rows.csv"});
  EXPECT_EQ(folder_.Read("rows.csv"), "old\n");
}

TEST_F(CommandLineTest, WhatIsNotOursIsNeverTouched) {
  folder_.Write("file.db", "precious");
  ASSERT_EQ(mkdir((folder_ / "folder.db").c_str(), 0700), 0);
  folder_.Write("folder.db/inside", "precious");
  burin::EngineOptions options;
  options.creator = "somebody else";
  options.segment_bytes = 1 << 20;
  {
    auto engine = burin::Engine::Open(folder_ / "theirs.db", options);
    ASSERT_TRUE(engine.ok());
    ASSERT_TRUE((*engine)->Close().ok());
  }
  const auto before = folder_.Names();
  for (const char* name : {"file.db", "folder.db", "theirs.db"}) {
    EXPECT_THAT(Refusal({"--database", name}), AllOf(HasSubstr("--database"), HasSubstr(name)));
  }
  EXPECT_THAT(Refusal({"--database", "theirs.db"}), HasSubstr("somebody else"));
  EXPECT_EQ(folder_.Names(), before);
  EXPECT_EQ(folder_.Read("file.db"), "precious");
  EXPECT_EQ(folder_.Read("folder.db/inside"), "precious");
  options.create = false;
  EXPECT_TRUE(burin::Engine::Open(folder_ / "theirs.db", options).ok());
}

TEST_F(CommandLineTest, KeptDatabasesBearTheirCellAndAreReplacedByTheNextRun) {
  const std::vector<std::string> words = {"-t",
                                          "1,2",
                                          "-r",
                                          "2",
                                          "-i",
                                          "2",
                                          "-q",
                                          "--keep",
                                          "--database",
                                          "c{cell}.db",
                                          "--engine-option",
                                          kSmallLog};
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Run(words).status, 0);
    EXPECT_THAT(folder_.Names(), ElementsAre("c1-1.db", "c1-2.db", "c2-1.db", "c2-2.db"));
  }
  const auto info = burin::Engine::Inspect(folder_ / "c1-1.db");
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->creator, "write-throughput");
}

TEST_F(CommandLineTest, RowsAreTheSameWhereverTheyGo) {
  const std::vector<std::string> sweep = {"-t",       "1,2", "--repeat",        "3",      "-i", "2",
                                          "--header", "-q",  "--engine-option", kSmallLog};
  const auto expected =
      ElementsAre("system,threads,batch_size,compute", "Burin,1,100,0", "Burin,1,100,0",
                  "Burin,1,100,0", "Burin,2,100,0", "Burin,2,100,0", "Burin,2,100,0");
  EXPECT_THAT(Keys(Run(sweep).out), expected) << "to a file";

  std::vector<std::string> with_output = sweep;
  with_output.insert(with_output.end(), {"-o", "rows.csv"});
  EXPECT_EQ(Run(with_output).out, "");
  EXPECT_THAT(Keys(folder_.Read("rows.csv")), expected) << "to -o";

  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  settings_.stdout_descriptor = ends[1];
  Program program(sweep, settings_);
  close(ends[1]);
  std::string rows;
  char bytes[4096];
  for (ssize_t got; (got = read(ends[0], bytes, sizeof bytes)) > 0;) rows.append(bytes, got);
  close(ends[0]);
  EXPECT_EQ(program.Wait().status, 0);
  EXPECT_THAT(Keys(rows), expected) << "to a pipe";
}

TEST_F(CommandLineTest, AListThatTheRowCannotShowDrawsOneWarning) {
  const Finished finished = Run({"--engine", "null", "-m", "mvcc,legacy", "--summary", "none"});
  EXPECT_EQ(finished.status, 0);
  EXPECT_EQ(finished.err,
            "write-throughput: warning: csv rows do not show --mode; --format csv-wide does\n");
}

TEST_F(CommandLineTest, AFullOutputIsAnErrorThatNamesIt) {
  const int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  for (const std::string engine : {"null", "burin"}) {
    const Finished output = Run({"--engine", engine, "-o", "/dev/full", "-q"});
    EXPECT_EQ(output.status, 1);
    EXPECT_EQ(output.err, "write-throughput: /dev/full: No space left on device\n");
    EXPECT_EQ(Run({"--engine", engine, "--summary-output", "/dev/full"}).status, 1);
    settings_.stdout_descriptor = full;
    const Finished standard = Run({"--engine", engine, "-q", "-t", "1,2"});
    settings_.stdout_descriptor.reset();
    EXPECT_EQ(standard.status, 1);
    EXPECT_EQ(standard.err, "write-throughput: stdout: No space left on device\n");
    EXPECT_THAT(folder_.Names(), IsEmpty()) << "the database is removed as usual";
  }
  settings_.stdout_descriptor = full;
  EXPECT_EQ(Run({"--help"}).status, 1);
  close(full);
}

TEST_F(CommandLineTest, AnOutputBeyondTheFileSizeLimitIsAnError) {
  settings_.file_size_limit = 50;  // two rows, and the message is shorter
  const Finished finished = Run({"--engine", "null", "-t", "1,1,1,1", "-o", "rows.csv", "-q"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.err, HasSubstr("rows.csv: File too large"));
}

TEST_F(CommandLineTest, AClosedOutputIsAnErrorAndNeverAnotherFile) {
  settings_.close_stdout = true;
  const Finished finished = Run({"-q", "--keep", "--database", "x.db"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_EQ(finished.err, "write-throughput: stdout: Bad file descriptor\n");
}

TEST_F(CommandLineTest, AReaderThatIsGoneIsAnErrorAndTheDatabaseIsRemoved) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  settings_.stdout_descriptor = ends[1];
  const Finished finished = Run({"-q"});
  close(ends[1]);
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.err, HasSubstr("stdout: Broken pipe"));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(CommandLineTest, NamesMayHoldAnyByte) {
  const std::string name = "q\"b\\s\tn\nl\xff";
  folder_.Write(name + ".txt", "a\nb\n");
  const std::vector<std::string> base = {"-i",          "2",           "--database", name + ".db",
                                         "--data-file", name + ".txt", "--verify"};
  std::vector<std::string> json = base;
  json.insert(json.end(), {"--format", "json"});
  const Finished finished = Run(json);
  ASSERT_EQ(finished.status, 0) << finished.err;
  ASSERT_THAT(Lines(finished.out), SizeIs(1));
  const auto arguments = nlohmann::json::parse(finished.out).at("environment").at("arguments");
  EXPECT_EQ(arguments.at(4), "q\"b\\s\tn\nl\xef\xbf\xbd.db");
  int headers = 0;
  for (const std::string& line : Lines(finished.err)) headers += line.find(" stats for '") == 20;
  EXPECT_EQ(headers, 1) << finished.err;
  EXPECT_THAT(finished.err, HasSubstr("\\nl"));
}

TEST_F(CommandLineTest, OutputDoesNotDependOnTheLocale) {
  for (const std::string locale : {"C", "xx_YY", "de_DE.UTF-8"}) {
    settings_.environment = {{"LC_ALL", locale}};
    const Finished finished = Run({"-d", "0.05", "--engine", "null"});
    EXPECT_EQ(finished.status, 0) << locale << finished.err;
    EXPECT_THAT(finished.out, MatchesRegex("Null,1,100,0,[0-9]+\\.[0-9][0-9]\n")) << locale;
    EXPECT_THAT(Refusal({"-d", "1,5"}), HasSubstr("'1,5'"));
  }
}

TEST_F(CommandLineTest, FewDescriptorsAreEnough) {
  settings_.descriptor_limit = 20;
  const Finished finished =
      Run({"-t", "4", "-i", "20", "--keep", "--database", "n.db", "--verify", "-q"});
  EXPECT_EQ(finished.status, 0) << finished.err;
  settings_.descriptor_limit.reset();
  EXPECT_EQ(Run({"--database", "n.db", "-q"}).status, 0) << "and it was closed properly";
}

TEST_F(CommandLineTest, DescriptorsDoNotGrowWithTheCells) {
  settings_.descriptor_limit = 64;
  Program program({"-t", "1,2,4,8", "--repeat", "25", "-d", "0.002", "-q", "--engine", "null"},
                  settings_);
  size_t fewest = SIZE_MAX;
  size_t most = 0;
  std::optional<pid_t> last;
  for (int cells = 0; cells < 40;) {
    const auto cell = program.Cell();
    if (!Runs(program.pid())) break;
    if (!cell || cell == last) continue;
    last = cell;
    ++cells;
    const size_t open = OpenDescriptors(program.pid());
    fewest = std::min(fewest, open);
    most = std::max(most, open);
  }
  const Finished finished = program.Wait();
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_THAT(Lines(finished.out), SizeIs(100));
  EXPECT_GT(fewest, 0u);
  EXPECT_LE(most, fewest + 1) << "the write end of a pipe may be seen before it is closed";
}

TEST_F(CommandLineTest, ValuesComeFromTheDataFile) {
  folder_.Write("b.txt",
                "\xef\xbb\xbf"
                "a\r\nb\r\nlast");
  const Finished finished = Run({"--data-file", "b.txt", "-b", "6", "-i", "1", "--keep",
                                 "--database", "b.db", "--verify", "-q"});
  ASSERT_EQ(finished.status, 0) << finished.err;
  burin::EngineOptions options;
  options.create = false;
  auto engine = burin::Engine::Open(folder_ / "b.db", options);
  ASSERT_TRUE(engine.ok());
  const auto table = (*engine)->FindTable("test_table");
  ASSERT_TRUE(table.ok());
  std::vector<std::string> values;
  {
    const auto session = (*engine)->Connect();
    auto transaction = session->Begin(burin::TransactionKind::kConcurrent);
    ASSERT_TRUE(transaction.ok());
    ASSERT_TRUE(transaction
                    ->Scan(*table, 0, 100,
                           [&](int64_t, std::string_view value) {
                             values.emplace_back(value);
                             return true;
                           })
                    .ok());
  }
  EXPECT_THAT(values, ElementsAre("a", "b", "last", "a", "b", "last"));
}

TEST_F(CommandLineTest, DataFilesThatAreNoneAreRefusedAtOnce) {
  folder_.Write("empty", "");
  ASSERT_EQ(mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  for (const char* name : {"empty", "fifo", ".", "missing"}) {
    EXPECT_THAT(Refusal({"--data-file", name}), HasSubstr("--data-file '" + std::string(name)));
  }
}

TEST_F(CommandLineTest, ProgressIsShownOnATerminalAndCleared) {
  int master = -1;
  int terminal = -1;
  ASSERT_EQ(openpty(&master, &terminal, nullptr, nullptr, nullptr), 0);
  settings_.stderr_descriptor = terminal;
  Program program({"--engine", "null", "-d", "1.6", "--summary", "none"}, settings_);
  const Finished finished = program.Wait();
  close(terminal);
  EXPECT_THAT(finished.out, StartsWith("Null,1,100,0,"));
  std::string shown;  // a terminal gives a piece at a time, and an error at the end
  char bytes[4096];
  for (ssize_t got; (got = read(master, bytes, sizeof bytes)) > 0;) shown.append(bytes, got);
  close(master);
  EXPECT_THAT(shown, AllOf(HasSubstr("% done"), HasSubstr("rows/s"), HasSubstr("s left"),
                           testing::EndsWith("\r\033[K")));
}

}  // namespace
}  // namespace throughput
