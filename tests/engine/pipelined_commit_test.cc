// Commits that are not waited for: their order, and what they share.
#include <gtest/gtest.h>

#include <vector>

#include "tests/engine/concurrency_fixture.h"

namespace burin {
namespace {

class PipelinedCommitTest : public ConcurrencyTest {};

TEST_F(PipelinedCommitTest, PipelinedCommitsBecomeDurableInTheirOrder) {
  std::vector<Transaction> in_flight;
  for (int64_t key = 0; key < 200; ++key) {
    in_flight.push_back(BeginOn(*first_));
    in_flight.back().batch().Insert(table_, key, "row");
    ASSERT_EQ(Text(in_flight.back().CommitAsync()), "ok");
    bool later_is_durable = false;
    for (auto at = in_flight.rbegin(); at != in_flight.rend(); ++at) {
      const bool durable = at->Durable();
      EXPECT_TRUE(durable || !later_is_durable);
      later_is_durable = later_is_durable || durable;
    }
  }
  std::chrono::steady_clock::time_point previous{};
  for (Transaction& transaction : in_flight) {
    ASSERT_EQ(Text(transaction.Await()), "ok");
    EXPECT_LE(previous, transaction.durable_at());
    previous = transaction.durable_at();
  }
  EXPECT_EQ(AllRows(*engine_, table_).size(), 200u);
  EXPECT_LE(previous, std::chrono::steady_clock::now());
}

TEST_F(PipelinedCommitTest, ManyPipelinedCommitsShareASync) {
  gate_.Shut();
  std::vector<Transaction> in_flight;
  for (int64_t key = 0; key < 50; ++key) {
    in_flight.push_back(BeginOn(*first_));
    in_flight.back().batch().Insert(table_, key, "row");
    ASSERT_EQ(Text(in_flight.back().CommitAsync()), "ok");
    if (key == 0) gate_.AwaitWaiting(1);
  }
  const uint64_t groups = engine_->Statistics().groups;
  gate_.Open();
  for (Transaction& transaction : in_flight) ASSERT_EQ(Text(transaction.Await()), "ok");
  EXPECT_EQ(engine_->Statistics().groups - groups, 2u);
}

TEST_F(PipelinedCommitTest, AGroupOfMoreRecordsThanOneWriteTakesIsWhole) {
  // With small tables a checkpoint would have to wait for what the gate holds up.
  EngineOptions options = SmallOptions(&files_);
  options.table_slots = 1 << 14;
  const auto engine = OpenDatabase(options, "/larger");
  const TableId table = MakeTable(*engine);
  const auto session = engine->Connect();
  gate_.Shut();
  std::vector<Transaction> in_flight;
  for (int64_t key = 0; key < 3000; ++key) {
    in_flight.push_back(BeginOn(*session));
    in_flight.back().batch().Insert(table, key, "row");
    ASSERT_EQ(Text(in_flight.back().CommitAsync()), "ok");
  }
  gate_.Open();
  for (Transaction& transaction : in_flight) ASSERT_EQ(Text(transaction.Await()), "ok");
  SimulatedFileSystem reopened(files_.Disk().AfterKill());
  EXPECT_EQ(AllRows(*OpenDatabase(SmallOptions(&reopened), "/larger"), table).size(), 3000u);
}

}  // namespace
}  // namespace burin
