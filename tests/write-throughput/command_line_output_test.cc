// What the built program prints where, and what it says where that fails.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include "nlohmann/json.hpp"
#include "tests/write-throughput/command_line.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::SizeIs;
using testing::StartsWith;

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
