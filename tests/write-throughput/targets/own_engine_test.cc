// Engines of the user's own: the example, and one that misbehaves at every call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/write-throughput/targets/engines.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string Engine(const std::string& name) { return std::string(OWN_ENGINES) + "/" + name; }

class OwnEngineTest : public EngineTest {
 protected:
  std::vector<std::string> Misbehaving(const std::vector<std::string>& settings,
                                       const std::string& mode = "legacy") {
    std::vector<std::string> words = {
        "--engine", Engine("misbehaving.so"), "-m", mode, "-t", "2", "-b", "5", "-i", "4"};
    for (const std::string& setting : settings) {
      words.insert(words.end(), {"--engine-option", setting});
    }
    return words;
  }
};

TEST_F(OwnEngineTest, TheExampleKeepsItsRows) {
  const auto run = Columns({"--engine", Engine("append_file.so"), "-t", "3", "-b", "10", "-i", "20",
                            "--warmup", "0.02", "--verify"});
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("system"), "AppendFile");
  EXPECT_EQ(run.at("engine_version"), "1");
  EXPECT_EQ(run.at("engine_library"), std::filesystem::canonical(Engine("append_file.so")));
  EXPECT_EQ(run.at("verified"), "true");
  EXPECT_EQ(run.at("durability"), "counted");
  EXPECT_GE(std::stoi(run.at("syncs")), 60);
}

TEST_F(OwnEngineTest, TheExampleSaysThatItsFileMayNotGrow) {
  settings_.file_size_limit = 1 << 18;
  EXPECT_THAT(Line(1, {"--engine", Engine("append_file.so"), "-t", "4", "-i", "100000"}),
              testing::ContainsRegex("AppendFile: rows: (File too large|No space left on device)"));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(OwnEngineTest, ALibraryInTheFolderNeedsNoSlash) {
  std::filesystem::copy(Engine("append_file.so"), folder_ / "mine.so");
  const Finished finished = Run({"--engine", "mine.so,./mine.so", "-i", "2", "-q"});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_THAT(Lines(finished.out), testing::SizeIs(2));
}

TEST_F(OwnEngineTest, ItsPathMayHoldAnyByte) {
  const std::string name = "./q\"b\\s\tn\nl\377.so";
  EXPECT_THAT(Line(2, {"--engine", name}), HasSubstr("No such file"));
  std::filesystem::copy(Engine("append_file.so"), folder_ / name.substr(2));
  const auto run = Columns({"--engine", name, "-i", "2"});
  ASSERT_FALSE(run.empty());
  EXPECT_THAT(run.at("engine_library"), HasSubstr("q\"b\\s\tn\nl\ufffd.so"));
}

TEST_F(OwnEngineTest, PipelinedModesAwaitInOrder) {
  auto words = Misbehaving({}, "concurrent");
  words.emplace_back("--verify");
  const auto run = Columns(words);
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("rows_verified"), "40");
  EXPECT_EQ(run.at("engine_source_id"), "abc");
}

TEST_F(OwnEngineTest, WhatCannotBeLoadedIsRefusedInOneLine) {
  folder_.Write("text.so", "no library");
  const std::vector<std::pair<std::string, std::string>> unfit = {
      {"./missing.so", "No such file or directory"},
      {"./text.so", "text.so"},
      {Engine("other_version.so"), "version 99 of the interface"},
      {Engine("other_symbol.so"), "has no symbol 'write_throughput_target'"},
      {Engine("without_commit.so"), "'commit' in its description is null"},
      {Engine("without_await.so"), "'await' in its description is null"},
      {Engine("without_modes.so"), "has no mode"},
      {Engine("without_settings.so"), "'settings' in its description is null"},
      {Engine("without_name.so"), "'name' in its description is no printable line"},
      {Engine("name_of_two_lines.so"), "'name' in its description is no printable line"},
      {Engine("crashing_at_load.so"), "crashed with signal 11"},
  };
  for (const auto& [path, says] : unfit) {
    EXPECT_THAT(Line(2, {"--engine", path}), AllOf(HasSubstr("--engine"), HasSubstr(says)));
  }
  EXPECT_THAT(Line(2, {"--engine", "./"}), HasSubstr("is no file"));
  ASSERT_EQ(mkfifo((folder_ / "pipe.so").c_str(), 0600), 0);
  EXPECT_THAT(Line(2, {"--engine", "pipe.so"}), HasSubstr("is no file"));
  EXPECT_THAT(folder_.Names(), ElementsAre("pipe.so", "text.so"));
}

TEST_F(OwnEngineTest, AModeOrSettingThatItHasNotIsRefused) {
  EXPECT_THAT(Line(2, Misbehaving({}, "mvcc")), HasSubstr("legacy, concurrent"));
  EXPECT_THAT(Line(2, Misbehaving({"colour=red"})),
              HasSubstr("fail, crash, abort, hang, forget, lie, tell"));
  EXPECT_THAT(Line(2, Misbehaving({"lie=refuse"})), HasSubstr("lie=refuse is not allowed"));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

class FailingCallTest : public OwnEngineTest, public testing::WithParamInterface<const char*> {
 protected:
  static std::string ModeOf(const std::string& call) {
    return call == "submit" || call == "await" ? "concurrent" : "legacy";
  }
};

INSTANTIATE_TEST_SUITE_P(Calls, FailingCallTest,
                         testing::Values("create", "open", "close", "connect", "begin", "insert",
                                         "commit", "submit", "await", "scan"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(FailingCallTest, EndsInOneLineWithTheEnginesMessage) {
  auto words = Misbehaving({std::string("fail=") + GetParam(), "tell=no luck"}, ModeOf(GetParam()));
  words.emplace_back("--verify");
  const std::string line = Line(1, words);
  EXPECT_THAT(line, AllOf(StartsWith("write-throughput: "), HasSubstr("Misbehaving"),
                          HasSubstr("no luck")));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_P(FailingCallTest, WithoutAMessageStillSaysSo) {
  auto words = Misbehaving({std::string("fail=") + GetParam()}, ModeOf(GetParam()));
  words.emplace_back("--verify");
  EXPECT_THAT(Line(1, words), HasSubstr("failed and gave no reason"));
}

TEST_P(FailingCallTest, ThatCrashesCostsItsCellAlone) {
  auto words = Misbehaving({std::string("crash=") + GetParam()}, ModeOf(GetParam()));
  words[1] += ",null";
  const bool verifies = std::string(GetParam()) == "open" || std::string(GetParam()) == "scan";
  if (verifies) {
    words[1] = Engine("misbehaving.so");
    words.emplace_back("--verify");
  }
  words.emplace_back("-q");
  const Finished finished = Run(words);
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.err, HasSubstr("killed by signal 11"));
  EXPECT_THAT(Lines(finished.out), testing::SizeIs(verifies ? 0 : 1)) << "the other cell's row";
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

// A few at a time, as each sleeps for its deadline.
class HangingCallTest : public OwnEngineTest {
 protected:
  void ExpectGivenUp(const std::string& how, const std::vector<std::string>& calls) {
    std::vector<std::unique_ptr<Program>> programs;
    for (const std::string& call : calls) {
      auto words = Misbehaving({how + "=" + call, call == "rollback" ? "fail=commit" : "fail="},
                               call == "submit" || call == "await" ? "concurrent" : "legacy");
      words.insert(words.end(), {"--verify", "--timeout", "50", "--database", call + ".db", "-q"});
      programs.push_back(std::make_unique<Program>(words, settings_));
    }
    for (size_t i = 0; i < calls.size(); ++i) {
      const Finished finished = programs[i]->Wait();
      EXPECT_EQ(finished.status, 1) << calls[i];
      EXPECT_THAT(Lines(finished.err), testing::SizeIs(1)) << finished.err;
      EXPECT_THAT(finished.err, AllOf(HasSubstr("misbehaving.so: " + calls[i] + " did not return"),
                                      HasSubstr("within 2050 ms (--timeout and 2 s)")));
    }
    EXPECT_THAT(folder_.Names(), IsEmpty());
  }
};

TEST_F(HangingCallTest, EndsTheCellInOneLine) {
  ExpectGivenUp("hang", {"create", "open", "close", "connect", "disconnect", "begin", "insert",
                         "commit", "rollback", "submit", "await", "scan"});
}

TEST_F(OwnEngineTest, ACheckThatNeverReturnsIsARefusal) {
  EXPECT_THAT(Line(2, Misbehaving({"hang=check"})), HasSubstr("did not load within 10 s"));
}

TEST_F(OwnEngineTest, ACallThatAbortsCostsItsCell) {
  EXPECT_THAT(Line(1, Misbehaving({"abort=insert"})), HasSubstr("killed by signal 6 (Aborted)"));
}

TEST_F(OwnEngineTest, ACallThatGivesNothingIsAFailure) {
  for (const char* call : {"create", "connect"}) {
    EXPECT_THAT(Line(1, Misbehaving({std::string("forget=") + call})),
                HasSubstr(std::string("Misbehaving: ") + call + ": answered that it is well and"));
  }
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(OwnEngineTest, GetsTheWayOfWritingFromItsFlagAlone) {
  auto words = Misbehaving({});
  EXPECT_EQ(Columns(words).at("engine_io"), "pwrite");
  words.insert(words.end(), {"--io", "io-uring"});
  EXPECT_THAT(Line(2, words), HasSubstr("Misbehaving: --io io-uring is not allowed: pwrite"));
  EXPECT_THAT(Line(2, Misbehaving({"io=pwrite"})), HasSubstr("--engine-option 'io=pwrite'"));
  EXPECT_THAT(Line(2, {"--engine", Engine("append_file.so"), "--io", "io-uring"}),
              HasSubstr("writes in a way of its own; pwrite is allowed"));
}

TEST_F(OwnEngineTest, VerifyCatchesEveryLie) {
  const std::map<std::string, std::string> lies = {
      {"drop", "row 7 of an acknowledged transaction is missing"},
      {"change", "row 7 has '?ata_7' instead of 'data_7'"},
      {"duplicate", "row 7 is there twice"},
  };
  for (const auto& [lie, caught] : lies) {
    auto words = Misbehaving({"lie=" + lie});
    words.emplace_back("--verify");
    EXPECT_THAT(Line(1, words), HasSubstr(caught));
  }
}

}  // namespace
}  // namespace throughput
