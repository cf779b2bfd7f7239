// What holds for every engine alike: rows that are there when it is opened again, a folder that is
// ours, a limit that is an error in one line.
#include "tests/write-throughput/targets/engines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace throughput {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class EachEngineTest : public EngineTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    const std::string missing = Missing(GetParam());
    if (!missing.empty()) GTEST_SKIP() << missing;
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, EachEngineTest,
                         testing::Values("burin", "sqlite", "rocksdb", "lmdb", "raw-log"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(EachEngineTest, KeepsEveryRowOfSeveralThreadsAndOfTheWarmup) {
  const auto run = Columns({"--engine", GetParam(), "-m", "best", "-t", "3", "-b", "7", "-i", "20",
                            "--warmup", "0.02", "--value-size", "50", "--verify"});
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("rows"), "420");
  EXPECT_EQ(run.at("verified"), "true");
  EXPECT_GE(std::stoi(run.at("rows_verified")), 420);
  EXPECT_EQ(run.at("row_bytes"), std::to_string(420 * 58));
  EXPECT_EQ(run.at("durability"), "counted") << run.at("durability_note");
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_P(EachEngineTest, SyncsForEveryCommitOfOneThread) {
  const auto run = Columns({"--engine", GetParam(), "-b", "1", "-i", "25"});
  ASSERT_FALSE(run.empty());
  EXPECT_GE(std::stoi(run.at("syncs")), 25);
  EXPECT_GE(std::stoi(run.at("os_syncs")), 25);
  EXPECT_GT(std::stoi(run.at("os_bytes_written")), 25 * 10);
}

TEST_P(EachEngineTest, RunsInTheScopeOfTheProcessToo) {
  const auto run =
      Columns({"--engine", GetParam(), "-m", "best", "--scope", "process", "--verify"});
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("verified"), "true");
}

TEST_P(EachEngineTest, ReplacesWhatARunKept) {
  const std::vector<std::string> words = {"--engine", GetParam(), "-i", "3", "--keep", "-q"};
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Run(words).status, 0);
    EXPECT_THAT(folder_.Names(), testing::ElementsAre("write_throughput_test.db"));
  }
  EXPECT_EQ(Run({"--engine", "null", "-q"}).status, 0);
  EXPECT_EQ(Run({"--engine", "raw-log", "-q"}).status, 0) << "our mark counts for every engine";
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_P(EachEngineTest, LeavesAloneWhatIsNotOurs) {
  folder_.Write("file.db", "precious");
  std::filesystem::create_directory(folder_ / "folder.db");
  folder_.Write("folder.db/data.mdb", "precious");
  for (const char* name : {"file.db", "folder.db"}) {
    EXPECT_THAT(Line(2, {"--engine", GetParam(), "--database", name}),
                AllOf(HasSubstr("--database"), HasSubstr(name)));
  }
  EXPECT_EQ(folder_.Read("file.db"), "precious");
  EXPECT_EQ(folder_.Read("folder.db/data.mdb"), "precious");
}

TEST_P(EachEngineTest, SaysInOneLineThatItsFileMayNotGrow) {
  settings_.file_size_limit = 1 << 19;
  const std::string line =
      Line(1, {"--engine", GetParam(), "-m", "best", "-t", "4", "-b", "500", "-d", "20",
               "--value-size", "1000", "--timeout", "2000", "--summary", "none"});
  EXPECT_THAT(line, Not(IsEmpty()));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_P(EachEngineTest, SaysInOneLineThatTheDiskIsFull) {
  if (!CanMount()) GTEST_SKIP() << "nothing can be mounted here";
  settings_.disk_bytes = 24 << 20;
  const std::string line =
      Line(1, {"--engine", GetParam(), "-m", "best", "-t", "4", "-b", "500", "-d", "60",
               "--value-size", "1000", "--timeout", "2000", "--summary", "none", "--verify"});
  // LMDB calls a write that comes back short an input/output error.
  EXPECT_THAT(line, testing::ContainsRegex("No space left on device|is full|Input/output error"));
}

TEST_P(EachEngineTest, RefusesModesThatItHasNotNamingThoseItHas) {
  const TargetInfo& info = *FindTarget(GetParam());
  if (HasMode(info, Mode::kMvccPassive)) GTEST_SKIP() << "it has all of them";
  EXPECT_THAT(Line(2, {"--engine", GetParam(), "-m", "mvcc-passive"}),
              AllOf(HasSubstr("--mode 'mvcc-passive'"), HasSubstr(ModeName(info.best_mode))));
}

TEST_F(EngineTest, ASweepOverEnginesTakesEachOnesBestMode) {
  const Finished finished = Run(
      {"--engine", "burin,raw-log,null", "-m", "best", "-i", "3", "-q", "--format", "csv-wide"});
  EXPECT_EQ(finished.status, 0) << finished.err;
  const auto lines = Lines(finished.out);
  ASSERT_EQ(lines.size(), 4u);
  for (size_t i = 1; i < lines.size(); ++i) EXPECT_THAT(lines[i], HasSubstr(",logical-log,"));
}

TEST_F(EngineTest, ASettingHasToBeSomeEnginesAndIsTakenByThoseThatHaveIt) {
  EXPECT_EQ(Run({"--engine", "burin,raw-log", "--engine-option", kSmallLog, "-q"}).status, 0);
  EXPECT_THAT(Line(2, {"--engine", "burin,raw-log", "--engine-option", "colour=red"}),
              AllOf(HasSubstr("'colour=red'"), HasSubstr("segment-bytes"),
                    HasSubstr("raw-log has no settings")));
}

TEST_F(EngineTest, TheListTellsEachEngineOrHowToGetIt) {
  const Finished finished = Run({"--list-engines"});
  EXPECT_EQ(finished.status, 0);
  for (const char* engine :
       {"burin\n", "sqlite\n", "rocksdb\n", "lmdb\n", "turso\n", "null\n", "raw-log\n"}) {
    EXPECT_THAT(finished.out, HasSubstr(engine));
  }
  const std::map<std::string, std::string> ways = {
      {"sqlite", "apt"}, {"rocksdb", "apt"}, {"lmdb", "apt"}, {"turso", "make turso"}};
  for (const auto& [engine, way] : ways) {
    const std::string shown = Missing(engine).empty() ? "library     /" : "not installed: " + way;
    const size_t at = finished.out.find(engine + "\n");
    EXPECT_THAT(finished.out.substr(at, 200), HasSubstr(shown)) << engine;
  }
}

TEST_F(EngineTest, TheShareOfTheDisksLimitIsShown) {
  const Finished finished = Run({"-i", "20", "--compare-limit", "--engine-option", kSmallLog});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_THAT(finished.err, testing::ContainsRegex("[0-9] +% +of this disk's limit +# .*rows/s"));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

}  // namespace
}  // namespace throughput
