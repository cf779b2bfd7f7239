// Programs are run, waited for and ended; what they wrote is read. The programs are shell scripts.
#include "apps/throughput-compare/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "apps/throughput-compare/command.h"
#include "apps/throughput-compare/interleaving.h"
#include "tests/results/made_record.h"
#include "tests/results/scratch_folder.h"

namespace throughput {
namespace {

using testing::HasSubstr;

constexpr std::chrono::seconds kPatience{60};

// A shell script's words: "$4" is the file that is to be written. ("sh -c SCRIPT x" takes the
// program's words as arguments: --format json -o FILE.)
std::vector<std::string> Shell(const std::string& script) { return {"sh", "-c", script, "x"}; }

Result<std::vector<ReadRun>> RunScript(const std::string& script,
                                       std::chrono::duration<double> limit = kPatience) {
  auto runner = CommandRunner::Make(limit);
  if (!runner) return tl::unexpected(runner.error());
  return runner->Run(Shell(script), "BEFORE");
}

void ExpectFailure(const std::string& script, int code, const std::string& message) {
  const auto run = RunScript(script);
  ASSERT_FALSE(run) << script;
  EXPECT_EQ(run.error().exit_code, code);
  EXPECT_THAT(run.error().message, HasSubstr(message));
  EXPECT_EQ(run.error().message.find('\n'), std::string::npos);
}

TEST(RunCommand, ReadsWhatTheProgramWrote) {
  const ScratchFolder folder;
  const std::string record = folder.Write("r", metrics::ToJson(MadeRecord()) + "\n");
  auto runner = CommandRunner::Make(kPatience);
  ASSERT_TRUE(runner);
  for (int i = 0; i < 2; ++i) {  // the same run again is another run
    const auto runs = runner->Run(
        Shell("echo noise; test \"$1 $2 $3\" = '--format json -o' && cp " + record + " \"$4\""),
        "BEFORE");
    ASSERT_TRUE(runs) << runs.error().message;
    ASSERT_EQ(runs->size(), 1);
    EXPECT_EQ(runs->front().record.system, "Burin");
  }
}

TEST(RunCommand, ItsOwnFlagsAreNoneOfTheUsers) {
  EXPECT_EQ(WithoutOwnFlags({"w", "-i", "5", "--format", "json", "-o", "/tmp/r"}),
            (std::vector<std::string>{"w", "-i", "5"}));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"w"},
                                                {"w", "--format", "json", "-o"},
                                                {"w", "-o", "a", "b", "c"}}) {
    EXPECT_EQ(WithoutOwnFlags(words), words);
  }
}

TEST(RunCommand, PassesOnWhatAFailedProgramSaid) {
  ExpectFailure("echo one >&2; echo two >&2; exit 2", 2, "BEFORE: exit code 2: two");
  ExpectFailure("echo 'no disk' >&2; exit 1", 1, "BEFORE: exit code 1: no disk");
  ExpectFailure("exit 9", 1, "BEFORE: exit code 9: it said nothing");
  ExpectFailure("kill -9 $$", 1, "BEFORE: the program was ended by signal 9");
  ExpectFailure("exit 130", 130, "interrupted");
}

TEST(RunCommand, RefusesAProgramThatWroteNoRecord) {
  ExpectFailure("true", 2, "BEFORE 'sh': ended without a record; a write-throughput is allowed");
  ExpectFailure(": >\"$4\"", 2, "is empty: it holds no result");
  ExpectFailure("echo '{\"schema_version\":1' >\"$4\"", 2, "not a whole line of JSON");
}

TEST(RunCommand, GivesUpOnARunThatTakesTooLong) {
  const auto run = RunScript("exec sleep 50", std::chrono::duration<double>(0.05));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().exit_code, kExitFailed);
  EXPECT_EQ(run.error().message, "BEFORE: a run took longer than 0.05 s (--run-limit)");
}

TEST(RunCommand, EndsWithASignalToThisProgram) {
  auto runner = CommandRunner::Make(kPatience);
  ASSERT_TRUE(runner);
  ASSERT_EQ(::kill(::getpid(), SIGTERM), 0);  // blocked, and waiting for the run
  const auto run = runner->Run(Shell("exec sleep 50"), "BEFORE");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().exit_code, kExitInterrupted);
}

TEST(KindOf, TellsProgramsFromFiles) {
  const ScratchFolder folder;
  EXPECT_EQ(KindOf({"sh", "-c"}, "BEFORE"), SideKind::kCommand);
  EXPECT_EQ(KindOf({"/bin/sh"}, "BEFORE"), SideKind::kCommand);
  EXPECT_EQ(KindOf({folder.Write("r.json", "")}, "BEFORE"), SideKind::kFiles);
  const std::string executable = folder.Write("x.json", "{}");
  ASSERT_EQ(::chmod(executable.c_str(), 0755), 0);
  EXPECT_EQ(KindOf({executable}, "BEFORE"), SideKind::kFiles);
}

TEST(KindOf, SaysWhyAWordIsNeither) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo(folder.Path("pipe").c_str(), 0600), 0);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"no-such-program", "no such file, and no such program in PATH"},
      {"", "no such file, and no such program in PATH"},
      {folder.Path("none.json"), "No such file or directory"},
      {folder.Path(""), "is a directory"},
      {folder.Path("pipe"), "is no regular file"},
      {folder.Write("file", "") + "/x", "Not a directory"},
  };
  for (const auto& [word, reason] : cases) {
    const auto kind = KindOf({word}, "AFTER");
    ASSERT_FALSE(kind) << word;
    EXPECT_EQ(kind.error().exit_code, kExitRefused);
    EXPECT_EQ(kind.error().message,
              "AFTER '" + word + "': " + reason + "; a program or result files are allowed");
  }
}

TEST(CheckFlags, NamesAFlagThatWouldGoNowhere) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"-o", "f"}, "--output"},
      {{"-of"}, "--output"},
      {{"--output=f"}, "--output"},
      {{"-qo", "f"}, "--output"},
      {{"--format", "csv"}, "--format"},
      {{"-t", "2", "--format=json"}, "--format"},
      {{"--summary", "none"}, "--summary"},
      {{"--summary-output=f"}, "--summary-output"},
      {{"--header"}, "--header"},
      {{"--resume"}, "--resume"},
      {{"--list-engines"}, "--list-engines"},
      {{"-h"}, "--help"},
      {{"--doctor"}, "--doctor"},
  };
  for (const auto& [flags, named] : cases) {
    std::vector<std::string> words{"./write-throughput"};
    words.insert(words.end(), flags.begin(), flags.end());
    const auto fits = CheckFlags(words, "AFTER");
    ASSERT_FALSE(fits) << named;
    EXPECT_EQ(fits.error().exit_code, kExitRefused);
    EXPECT_THAT(fits.error().message, testing::StartsWith("AFTER '" + named + "': "));
  }
}

TEST(CheckFlags, LeavesAloneWhatIsNoFlagOfTheirs) {
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"write-throughput", "-t", "4", "-q", "--interval", "100", "--no-big-num"},
           {"write-throughput", "--database", "--format", "--io", "-o"},
           {"time", "-o", "times", "/opt/write-throughput", "-d", "2"},
           {"sh", "-c", "write-throughput -o f", "x"}}) {
    EXPECT_TRUE(CheckFlags(words, "BEFORE")) << words.front();
  }
  EXPECT_FALSE(CheckFlags({"./mine", "-o", "f"}, "BEFORE"));
}

}  // namespace
}  // namespace throughput
