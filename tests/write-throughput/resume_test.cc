// --resume and --order at the command line: what is kept, what is run, what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/write-throughput/program.h"

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

const std::string kHeader = "system,threads,batch_size,compute,throughput\n";

class ResumeTest : public testing::Test {
 protected:
  ResumeTest() { settings_.folder = folder_.path(); }

  // Two cells, two runs each.
  Finished Run(std::vector<std::string> more) {
    std::vector<std::string> words{"--engine", "null", "-t", "1,2", "-r",
                                   "2",        "-i",   "2",  "-o",  "f"};
    words.insert(words.end(), more.begin(), more.end());
    return RunProgram(words, settings_);
  }

  void ExpectRefused(const std::vector<std::string>& more, const std::string& message) {
    const std::string before = File();
    const Finished finished = Run(more);
    EXPECT_EQ(finished.status, 2);
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.err, HasSubstr(message));
    EXPECT_THAT(Lines(finished.err), testing::SizeIs(1));
    EXPECT_EQ(File(), before);
  }

  std::string File() const { return folder_.Read("f"); }
  void Write(const std::string& contents) const { folder_.Write("f", contents); }

  // Threads of each row, as CSV has them.
  std::vector<std::string> Threads() const {
    std::vector<std::string> threads;
    for (const std::string& line : Lines(File())) {
      if (line + "\n" != kHeader) threads.push_back(line.substr(5, 1));
    }
    return threads;
  }

  // Cell and repeat of each row, as JSON has them.
  std::vector<std::string> RunsInJson() const {
    std::vector<std::string> runs;
    for (const std::string& line : Lines(File())) {
      const auto json = nlohmann::json::parse(line);
      runs.push_back(json["cell"].dump() + "-" + json["repeat"].dump());
    }
    return runs;
  }

  TemporaryFolder folder_;
  ProgramSettings settings_;
};

TEST_F(ResumeTest, RunsEverythingWhereThereIsNoFile) {
  EXPECT_EQ(Run({"--resume", "--header"}).status, 0);
  EXPECT_THAT(File(), StartsWith(kHeader));
  EXPECT_THAT(Threads(), ElementsAre("1", "1", "2", "2"));
}

TEST_F(ResumeTest, RunsAHalfRowAgainAndKeepsWholeOnes) {
  Write(kHeader + "Null,1,100,0,11.00\nNull,1,100,0,12.00\nNull,2,100,0,1");
  EXPECT_EQ(Run({"--resume", "--header"}).status, 0);
  EXPECT_THAT(File(), StartsWith(kHeader + "Null,1,100,0,11.00\nNull,1,100,0,12.00\nNull,2,"));
  EXPECT_THAT(Threads(), ElementsAre("1", "1", "2", "2"));
}

TEST_F(ResumeTest, KeepsALastRowThatLacksOnlyItsNewline) {
  Write("Null,1,100,0,11.00\nNull,2,100,0,12.00");
  EXPECT_EQ(Run({"--resume"}).status, 0);
  EXPECT_THAT(File(), StartsWith("Null,1,100,0,11.00\nNull,2,100,0,12.00\nNull,1,"));
  EXPECT_THAT(Threads(), ElementsAre("1", "2", "1", "2"));
}

TEST_F(ResumeTest, HasOneHeaderAndNoCarriageReturns) {
  Write("Null,1,100,0,11.00\r\n" + kHeader + "Null,2,100,0,12.00\r\n" + kHeader);
  EXPECT_EQ(Run({"--resume", "--header"}).status, 0);
  EXPECT_THAT(File(), StartsWith(kHeader + "Null,1,100,0,11.00\nNull,2,100,0,12.00\nNull,1,"));
  EXPECT_EQ(File().find(kHeader, 1), std::string::npos);
  EXPECT_EQ(File().find('\r'), std::string::npos);
}

TEST_F(ResumeTest, RunsNothingWhereNothingIsMissing) {
  ASSERT_EQ(Run({"--format", "json"}).status, 0);
  const std::string before = File();
  EXPECT_EQ(Run({"--format", "json", "--resume"}).status, 0);
  EXPECT_EQ(File(), before);
}

TEST_F(ResumeTest, RunsWhatIsMissingInJsonAndSumsUpAllRunsOfItsCell) {
  ASSERT_EQ(Run({"--format", "json"}).status, 0);
  const auto lines = Lines(File());
  Write(lines[3] + "\n" + lines[0] + "\n" + lines[3] + "\n" + lines[1].substr(0, 100));
  const Finished finished = Run({"--format", "json", "--resume"});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_THAT(RunsInJson(), ElementsAre("2-2", "1-1", "1-2", "2-1"));
  EXPECT_THAT(finished.err, HasSubstr("(2 runs)"));
  EXPECT_THAT(folder_.Names(), ElementsAre("f"));
}

TEST_F(ResumeTest, AddsRepeats) {
  ASSERT_EQ(Run({"--format", "json"}).status, 0);
  EXPECT_EQ(Run({"--format", "json", "-r", "3", "--resume", "-q"}).status, 0);
  EXPECT_THAT(RunsInJson(), ElementsAre("1-1", "1-2", "2-1", "2-2", "1-3", "2-3"));
}

TEST_F(ResumeTest, RunsInterruptedRunsAgain) {
  ASSERT_EQ(Run({"--format", "json"}).status, 0);
  std::string text = File();
  const std::string whole = "\"interrupted\":false";
  text.replace(text.find(whole), whole.size(), "\"interrupted\":true");
  Write(text);
  EXPECT_EQ(Run({"--format", "json", "--resume"}).status, 0);
  EXPECT_THAT(RunsInJson(), ElementsAre("1-2", "2-1", "2-2", "1-1"));
  EXPECT_THAT(File(), Not(HasSubstr("\"interrupted\":true")));
}

TEST_F(ResumeTest, RefusesTheFileOfAnotherSweepAndLeavesItAlone) {
  ASSERT_EQ(Run({"--format", "json"}).status, 0);
  ExpectRefused({"--format", "json", "--resume", "-i", "3"}, "line 1 is of other flags");
  ExpectRefused({"--format", "json", "--resume", "-t", "4"}, "line 1 is of other flags");
  ExpectRefused({"--resume"}, "line 1 is no whole row of --format csv");
  std::string text = File();
  const size_t commit = text.find("\"commit\":\"") + 10;
  text.replace(commit, text.find('"', commit) - commit, "elsewhere");
  Write(text);
  ExpectRefused({"--format", "json", "--resume"}, "line 1 is of another version, elsewhere");
  Write("Null,1,100,0,11.00\nNull,4,100,0,12.00\n");
  ExpectRefused({"--resume"}, "line 2 is of other flags");
  ExpectRefused({"--format", "json", "--resume"}, "line 1 is no whole row of --format json");
  Write("Null,1,100,0,1\nNull,1,100,0,12.00\n");
  ExpectRefused({"--resume"}, "line 1 is no whole row");
}

TEST_F(ResumeTest, RefusesWhatIsNoFile) {
  std::filesystem::create_directory(folder_.path() + "/f");
  EXPECT_THAT(Run({"--resume"}).err, HasSubstr("is no ordinary file"));
}

TEST_F(ResumeTest, MixesTheRunsOfASweepAndSaysBySeedHow) {
  const Finished finished = Run({"--format", "json", "--order", "random"});
  EXPECT_EQ(finished.status, 0);
  EXPECT_THAT(RunsInJson(), UnorderedElementsAre("1-1", "1-2", "2-1", "2-2"));
  const size_t seed = finished.err.find("--order random:");
  ASSERT_NE(seed, std::string::npos);
  const auto order = RunsInJson();
  const std::string said = finished.err.substr(seed + 8, finished.err.find('\n') - seed - 8);
  EXPECT_EQ(Run({"--format", "json", "--order", said, "-q"}).err, "");
  EXPECT_EQ(RunsInJson(), order);
}

TEST_F(ResumeTest, PrintsEachSummaryOnceBehindTheLastRunOfItsCell) {
  const Finished finished = Run({"--order", "random:3"});
  size_t blocks = 0;
  for (size_t at = 0; (at = finished.err.find("(2 runs)", at)) != std::string::npos; ++at) ++blocks;
  EXPECT_EQ(blocks, 2);
}

}  // namespace
}  // namespace throughput
