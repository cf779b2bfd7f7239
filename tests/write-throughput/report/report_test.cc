#include "apps/write-throughput/report/report.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/write-throughput/report/records.h"

namespace throughput {
namespace {

using metrics::ResultRecord;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class ReportTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = testing::TempDir() + "report-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }
  void WriteFile(const std::string& name, const std::string& text) {
    std::ofstream(Path(name)) << text;
  }
  // Rows to "rows", the summary to "summary", both in the test's folder.
  ReportOptions ToFiles() const {
    ReportOptions options;
    options.output_path = Path("rows");
    options.summary_path = Path("summary");
    return options;
  }
  // Prints one run and its cell; the answer of Finish.
  static Written PrintOne(const ReportOptions& options) {
    Report report(options);
    if (Written opened = report.Open(); !opened) return opened;
    report.Run(ExampleRecord());
    report.Cell(std::vector{ExampleRecord()}, ExampleArguments());
    return report.Finish();
  }

  std::filesystem::path folder_;
};

TEST_F(ReportTest, PrintsRowsAndSummaryToTheirFiles) {
  ASSERT_TRUE(PrintOne(ToFiles()));
  EXPECT_EQ(ReadFile(Path("rows")), "Burin,1,100,0,108480.75\n");
  EXPECT_THAT(ReadFile(Path("summary")), StartsWith("\n Performance counter stats for '../../../"));
  EXPECT_THAT(ReadFile(Path("summary")), HasSubstr("seconds sys\n\n         1,000,000      rows"));
}

TEST_F(ReportTest, ReplacesWhatTheFilesHeld) {
  WriteFile("rows", std::string(5000, 'x'));
  WriteFile("summary", std::string(50000, 'x'));
  ASSERT_TRUE(PrintOne(ToFiles()));
  EXPECT_EQ(ReadFile(Path("rows")), "Burin,1,100,0,108480.75\n");
  EXPECT_THAT(ReadFile(Path("summary")), EndsWith("perf events.\n\n"));
}

TEST_F(ReportTest, HasEachRowInTheFileAsSoonAsItIsPrinted) {
  ReportOptions options = ToFiles();
  options.header = true;
  Report report(options);
  ASSERT_TRUE(report.Open());
  EXPECT_EQ(ReadFile(Path("rows")), "");
  report.Run(ExampleRecord());
  EXPECT_EQ(LinesOf(ReadFile(Path("rows"))).size(), 2u);
  report.Run(ExampleRecord());
  EXPECT_EQ(LinesOf(ReadFile(Path("rows"))).size(), 3u);
}

TEST_F(ReportTest, ForkedCellsDoubleNothing) {
  ReportOptions options = ToFiles();
  options.header = true;
  Report report(options);
  ASSERT_TRUE(report.Open());
  for (int cell = 0; cell < 3; ++cell) {
    const pid_t child = fork();
    if (child == 0) std::exit(0);  // runs exit handlers and destructors of statics
    waitpid(child, nullptr, 0);
    report.Run(ExampleRecord());
    report.Cell(std::vector{ExampleRecord()}, ExampleArguments());
  }
  ASSERT_TRUE(report.Finish());
  EXPECT_EQ(ReadFile(Path("rows")),
            "system,threads,batch_size,compute,throughput\nBurin,1,100,0,108480.75\n"
            "Burin,1,100,0,108480.75\nBurin,1,100,0,108480.75\n");
}

TEST_F(ReportTest, PrintsTheSummaryInTheFormAskedFor) {
  ReportOptions options = ToFiles();
  options.summary = SummaryForm::kCsv;
  ASSERT_TRUE(PrintOne(options));
  EXPECT_THAT(ReadFile(Path("summary")), HasSubstr("\n2838.65,msec,task-clock,"));
  options.summary = SummaryForm::kJson;
  ASSERT_TRUE(PrintOne(options));
  EXPECT_THAT(ReadFile(Path("summary")), HasSubstr("\n{\"counter-value\" : \"2838.650000\""));
}

TEST_F(ReportTest, PrintsNoSummaryWhenQuietOrWhenNoneIsWanted) {
  ReportOptions options = ToFiles();
  options.quiet = true;
  ASSERT_TRUE(PrintOne(options));
  EXPECT_EQ(ReadFile(Path("summary")), "");
  EXPECT_NE(ReadFile(Path("rows")), "");
  options.quiet = false;
  options.summary = SummaryForm::kNone;
  ASSERT_TRUE(PrintOne(options));
  EXPECT_EQ(ReadFile(Path("summary")), "");
}

TEST_F(ReportTest, PrintsNothingForACellWithoutRuns) {
  Report report(ToFiles());
  ASSERT_TRUE(report.Open());
  EXPECT_TRUE(report.Cell({}, ExampleArguments()));
  ASSERT_TRUE(report.Finish());
  EXPECT_EQ(ReadFile(Path("summary")), "");
}

TEST_F(ReportTest, PutsIntervalsAboveTheBlock) {
  Report report(ToFiles());
  ASSERT_TRUE(report.Open());
  report.Cell(std::vector{With(ExampleRecord(),
                               [](ResultRecord& run) {
                                 run.intervals = {{1, 5, ExampleCounters()}};
                               })},
              ExampleArguments());
  EXPECT_THAT(ReadFile(Path("summary")), StartsWith("#           time"));
}

TEST_F(ReportTest, RefusesAFolderThatIsNotThere) {
  ReportOptions options;
  options.output_path = Path("no/rows");
  const Written opened = Report(options).Open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error(), "--output '" + Path("no/rows") +
                                "': No such file or directory; a file that can be written, in a "
                                "folder that exists, is allowed");
}

TEST_F(ReportTest, RefusesAFolderAsAFileAndNamesThePathInOneLine) {
  const std::string odd = Path("a\nfolder");
  std::filesystem::create_directory(odd);
  ReportOptions options;
  options.summary_path = odd;
  const Written opened = Report(options).Open();
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error(),
              StartsWith("--summary-output '" + Path("a\\nfolder") + "': Is a directory; "));
}

TEST_F(ReportTest, LeavesNothingBehindAndEmptiesNothingWhenItRefuses) {
  ReportOptions options = ToFiles();
  options.summary_path = Path("no/summary");
  EXPECT_FALSE(Report(options).Open());
  EXPECT_FALSE(std::filesystem::exists(Path("rows")));

  WriteFile("rows", "of yesterday");
  EXPECT_FALSE(Report(options).Open());
  EXPECT_EQ(ReadFile(Path("rows")), "of yesterday");
}

TEST_F(ReportTest, RefusesOneFileForBothStreams) {
  WriteFile("rows", "of yesterday");
  std::filesystem::create_symlink(Path("rows"), Path("link"));
  ReportOptions options = ToFiles();
  options.summary_path = Path("link");
  const Written opened = Report(options).Open();
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error(), HasSubstr("is the file of --output; a file of its own is allowed"));
  EXPECT_EQ(ReadFile(Path("rows")), "of yesterday");
}

TEST_F(ReportTest, AllowsOneDeviceForBothStreams) {
  ReportOptions options;
  options.output_path = options.summary_path = "/dev/null";
  EXPECT_TRUE(PrintOne(options));
}

TEST_F(ReportTest, ReportsAFullDeviceUnderTheRows) {
  ReportOptions options = ToFiles();
  options.output_path = "/dev/full";
  const Written finished = PrintOne(options);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error(), "/dev/full: No space left on device");
  EXPECT_NE(ReadFile(Path("summary")), "");  // the other stream goes on
}

TEST_F(ReportTest, ReportsAFullDeviceUnderTheSummary) {
  ReportOptions options = ToFiles();
  options.summary_path = "/dev/full";
  const Written finished = PrintOne(options);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error(), "/dev/full: No space left on device");
  EXPECT_NE(ReadFile(Path("rows")), "");
}

// Runs `body` in a process of its own with descriptor `fd` on `path`, and answers what it says.
template <typename Body>
std::string InChildWith(int fd, const char* path, Body body) {
  std::array<int, 2> answer{};
  EXPECT_EQ(pipe(answer.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(path, O_WRONLY), fd);
    const std::string text = body();
    const bool told = write(answer[1], text.data(), text.size()) >= 0;
    _exit(told ? 0 : 1);
  }
  close(answer[1]);
  std::string text;
  char c = 0;
  while (read(answer[0], &c, 1) == 1) text += c;
  close(answer[0]);
  waitpid(child, nullptr, 0);
  return text;
}

std::string ErrorOf(const Written& written) { return written ? "fine" : written.error(); }

TEST_F(ReportTest, NamesTheStandardStreamThatIsFull) {
  EXPECT_EQ(InChildWith(STDOUT_FILENO, "/dev/full",
                        [] {
                          ReportOptions options;
                          options.quiet = true;
                          return ErrorOf(PrintOne(options));
                        }),
            "stdout: No space left on device");
  EXPECT_EQ(InChildWith(STDERR_FILENO, "/dev/full",
                        [&] {
                          ReportOptions options;
                          options.output_path = Path("rows");
                          return ErrorOf(PrintOne(options));
                        }),
            "stderr: No space left on device");
}

TEST_F(ReportTest, AnswersTheFirstErrorAtOnceAndAgain) {
  ReportOptions options = ToFiles();
  options.output_path = "/dev/full";
  Report report(options);
  ASSERT_TRUE(report.Open());
  EXPECT_FALSE(report.Run(ExampleRecord()));
  EXPECT_FALSE(report.Run(ExampleRecord()));
  EXPECT_EQ(report.Finish().error(), "/dev/full: No space left on device");
}

TEST_F(ReportTest, ReportsAFileSizeLimitAndWritesNothingBehindTheCut) {
  const std::string said = InChildWith(STDIN_FILENO, "/dev/null", [&] {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{40, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    ReportOptions options;
    options.output_path = Path("rows");
    options.quiet = true;
    Report report(options);
    if (!report.Open()) return std::string("not opened");
    for (int i = 0; i < 3; ++i) report.Run(ExampleRecord());
    limit.rlim_cur = RLIM_INFINITY;
    setrlimit(RLIMIT_FSIZE, &limit);
    report.Run(ExampleRecord());
    return ErrorOf(report.Finish());
  });
  EXPECT_EQ(said, Path("rows") + ": File too large");
  EXPECT_EQ(ReadFile(Path("rows")), "Burin,1,100,0,108480.75\nBurin,1,100,0,10");
}

TEST_F(ReportTest, ReportsAClosedPipe) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  close(ends[0]);
  auto* before = std::signal(SIGPIPE, SIG_IGN);
  OutputStream stream(ends[1], "stdout");
  EXPECT_EQ(ErrorOf(stream.Write("a row\n")), "stdout: Broken pipe");
  std::signal(SIGPIPE, before);
  close(ends[1]);
}

TEST_F(ReportTest, WaitsForAReaderWhoMadeThePipeNonBlocking) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_NONBLOCK), 0);
  const std::string text(1 << 20, 'x');  // more than a pipe takes
  size_t received = 0;
  std::thread reader([&] {
    std::array<char, 65536> buffer{};
    pollfd ready{ends[0], POLLIN, 0};
    while (poll(&ready, 1, -1) == 1) {
      const ssize_t count = read(ends[0], buffer.data(), buffer.size());
      if (count <= 0) break;
      received += static_cast<size_t>(count);
    }
  });
  OutputStream stream(ends[1], "stdout");
  EXPECT_EQ(ErrorOf(stream.Write(text)), "fine");
  close(ends[1]);
  reader.join();
  EXPECT_EQ(received, text.size());
  close(ends[0]);
}

TEST_F(ReportTest, WritesToAFifo) {
  ASSERT_EQ(mkfifo(Path("fifo").c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = ReadFile(Path("fifo")); });
  ReportOptions options = ToFiles();
  options.output_path = Path("fifo");
  EXPECT_TRUE(PrintOne(options));
  reader.join();
  EXPECT_EQ(read, "Burin,1,100,0,108480.75\n");
}

}  // namespace
}  // namespace throughput
