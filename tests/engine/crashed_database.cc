#include "tests/engine/crashed_database.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/engine/sync_gate.h"

namespace burin {

CrashedDatabase::CrashedDatabase(const SimulatedDisk& disk)
    : files_(std::make_unique<SimulatedFileSystem>(disk)),
      engine_(OpenDatabase(SmallOptions(files_.get()))) {}

Rows CrashedDatabase::Table(const std::string& name) const {
  if (engine_ == nullptr) return {};
  const auto table = engine_->FindTable(name);
  EXPECT_TRUE(table.ok()) << name;
  return table.ok() ? AllRows(*engine_, *table) : Rows();
}

Status TryToOpen(const SimulatedDisk& disk) {
  SimulatedFileSystem files(disk);
  return Engine::Open(kDatabase, SmallOptions(&files)).TakeStatus();
}

GroupInDoubt::GroupInDoubt(size_t transactions) {
  SimulatedFileSystem files;
  SyncGate gate;
  gate.Install(&files);
  const auto engine = OpenDatabase(SmallOptions(&files));
  const TableId table = MakeTable(*engine);
  const auto session = engine->Connect();
  std::vector<Transaction> in_flight;
  const auto submit = [&](int64_t key) {
    const std::string value = "value of " + std::to_string(key);
    oracle_.Submit(0, {{"table", key, value}});
    in_flight.push_back(BeginOn(*session));
    in_flight.back().batch().Insert(table, key, value);
    EXPECT_EQ(Text(in_flight.back().CommitAsync()), "ok");
  };
  for (int64_t key = 0; key < 5; ++key) {
    if (key == 4) gate.Shut();  // it waits in its sync, so that the others make one group behind it
    submit(key);
    if (key == 4) break;
    EXPECT_EQ(Text(in_flight.back().Await()), "ok");
    oracle_.Acknowledge(0, in_flight.size() - 1);
  }
  gate.AwaitWaiting(1);
  path_ = UsedSegmentFiles(files.Disk()).back();
  constexpr uint64_t kBlock = 4096;
  begin_ = (WrittenEnd(files.Disk().Content(path_)) + kBlock - 1) / kBlock * kBlock;
  for (size_t i = 0; i < transactions; ++i) submit(5 + static_cast<int64_t>(i));
  gate.LetOnePass();
  EXPECT_EQ(Text(in_flight[4].Await()), "ok");
  oracle_.Acknowledge(0, 4);
  gate.AwaitWaiting(1);
  disk_ = files.Disk().AfterKill();
  end_ = WrittenEnd(disk_.Content(path_));
  gate.Open();
}

}  // namespace burin
