// What whole runs of the built program write, keep and need.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/engine.h"
#include "nlohmann/json.hpp"
#include "tests/write-throughput/command_line.h"

namespace throughput {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using testing::StartsWith;

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

}  // namespace
}  // namespace throughput
