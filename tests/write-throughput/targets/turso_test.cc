// The engine Turso, as `make turso` builds it beside the program; run by `make turso-test`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "metrics/block_device.h"
#include "tests/write-throughput/targets/engines.h"

namespace throughput {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class TursoTest : public EngineTest {
 protected:
  void SetUp() override { ASSERT_EQ(Missing(), ""); }

  // By the program itself, which looks beside its own file.
  std::string Missing() {
    const Finished finished = Run({"--engine", "turso", "-i", "1", "-q"});
    return finished.status == 0 ? "" : finished.err;
  }

  static std::vector<std::string> Load(const std::string& mode, const std::string& batch,
                                       const std::string& iterations) {
    return {"--engine", "turso", "-m", mode, "-t", "4", "-b", batch, "-i", iterations, "--verify"};
  }

  static std::vector<std::string> With(std::vector<std::string> words,
                                       const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

class TursoModeTest : public TursoTest, public testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Modes, TursoModeTest,
                         testing::Values("legacy", "mvcc", "logical-log", "concurrent",
                                         "mvcc-truncate", "mvcc-passive"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(TursoModeTest, KeepsItsRowsAndSyncsItsCommits) {
  const auto run = Columns(With(Load(GetParam(), "20", "50"), {"--warmup", "0.02"}));
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("system"), "Turso");
  EXPECT_EQ(run.at("engine_version"), "0.7.2");
  EXPECT_EQ(run.at("verified"), "true");
  EXPECT_EQ(run.at("transactions"), "200");
  EXPECT_EQ(run.at("durability"), "counted");
  EXPECT_GE(std::stoi(run.at("syncs")), 200) << "it has no group commit";
}

// A BEGIN that sleeps for a checkpoint of its own thread does so for ten seconds.
TEST_P(TursoModeTest, KeepsItsRowsThroughCheckpoints) {
  const auto run = Columns({"--engine", "turso", "-m", GetParam(), "-b", "100", "-i", "100",
                            "--value-size", "1000", "--timeout", "5000", "--verify"});
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("rows_verified"), "10000");
}

TEST_P(TursoModeTest, KeepsTheRowsOfSeveralThreadsThroughCheckpoints) {
  const auto run = Columns({"--engine", "turso", "-m", GetParam(), "-t", "3", "-b", "100", "-i",
                            "100", "--value-size", "1000", "--verify"});
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("rows_verified"), "30000");
}

TEST_P(TursoModeTest, WritesThroughIoUring) {
  const std::vector<std::string> ring = {"--io", "io-uring"};
  const Finished probe = Run(With({"--engine", "turso", "-i", "1", "-q"}, ring));
  if (probe.err.find("io_uring_setup") != std::string::npos) GTEST_SKIP() << probe.err;
  // One thread: with more, this version of the engine may wait for a completion that never comes.
  const auto run = Columns(With({"--engine", "turso", "-m", GetParam(), "-b", "20", "-i", "25",
                                 "--verify", "--timeout", "5000"},
                                ring));
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("rows_verified"), "500");
  EXPECT_EQ(run.at("engine_io"), "io-uring");
}

TEST_F(TursoTest, AForbiddenRingIsRefused) {
  settings_.forbid_io_uring = true;
  EXPECT_THAT(Line(2, {"--engine", "turso", "--io", "io-uring"}),
              HasSubstr("--io io-uring: io_uring_setup: Operation not permitted"));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_P(TursoModeTest, ConnectsForEachTransactionWhereAsked) {
  const auto words = With(Load(GetParam(), "5", "25"),
                          {"--engine-option", "connection=per-transaction", "--format", "json"});
  const Finished finished = Run(words);
  EXPECT_THAT(finished.out, HasSubstr("\"rows_verified\":500")) << finished.err;
}

TEST_F(TursoTest, TheCommitOfAFreshConnectionIsNotSyncedAndTheCountTells) {
  const auto device = metrics::BlockDevice::Of(folder_.path());
  if (!device || !device->has_volatile_cache()) GTEST_SKIP() << "no device that tells its flushes";
  // So many that other users' flushes of the device leave no doubt.
  const Finished finished = Run({"--engine", "turso", "-b", "1", "-i", "20000", "--engine-option",
                                 "connection=per-transaction", "-q", "--format", "csv-wide"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.out, HasSubstr(",refuted,"));
  EXPECT_THAT(finished.err, HasSubstr("not durable, although Turso claims it"));
}

TEST_F(TursoTest, TheTimeoutIsItsBusyTimeout) {
  EXPECT_THAT(Line(1, With(Load("legacy", "50000", "3"), {"--timeout", "1"})),
              HasSubstr("for 1 ms (--timeout)"));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(TursoTest, AFileThatMayNotGrowEndsInItsMessage) {
  settings_.file_size_limit = 1 << 20;
  EXPECT_THAT(Line(1, Load("legacy", "1000", "1000")), HasSubstr("Turso: "));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(TursoTest, AValueThatIsNotAllowedIsRefused) {
  EXPECT_THAT(Line(2, {"--engine", "turso", "--io", "mmap"}),
              AllOf(HasSubstr("--io 'mmap'"), HasSubstr("pwrite, io-uring")));
  EXPECT_THAT(Line(2, {"--engine", "turso", "--engine-option", "connection=none"}),
              AllOf(HasSubstr("connection=none"), HasSubstr("reuse or per-transaction")));
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(TursoTest, IsListedAndIsAnEngineByItsPath) {
  const std::string list = Run({"--list-engines"}).out;
  const std::string turso = list.substr(list.find("turso\n"));
  EXPECT_THAT(turso, AllOf(HasSubstr("Turso 0.7.2"), HasSubstr("mvcc-passive"),
                           HasSubstr("per-transaction")));
  const std::string library = "library     ";
  const size_t start = turso.find(library) + library.size();
  const std::string path = turso.substr(start, turso.find('\n', start) - start);
  const auto run = Columns({"--engine", path, "-i", "5", "--verify"});
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(run.at("system"), "Turso");
}

}  // namespace
}  // namespace throughput
