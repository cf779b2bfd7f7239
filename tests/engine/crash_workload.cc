#include "tests/engine/crash_workload.h"

#include <gtest/gtest.h>

#include "tests/engine/test_database.h"

namespace burin {
namespace {

constexpr const char* kTables[] = {"first", "second"};
constexpr size_t kMostBatchBytes = 1'000'000;  // of values: a log segment holds a little more

bool MayLoseSomething(const FileCall& call) {
  using Kind = FileCall::Kind;
  return call.Changes() || call.kind == Kind::kSync || call.kind == Kind::kSyncFolder ||
         call.kind == Kind::kRemove;
}

}  // namespace

EngineOptions CrashOptions(FileSystem* files) {
  EngineOptions options = SmallOptions(files);
  options.table_bytes = 64 << 10;
  options.cache_bytes = 16 << 10;
  return options;
}

CrashContent ReadContent(Engine& engine) {
  CrashContent content;
  for (const char* name : kTables) {
    const auto table = engine.FindTable(name);
    if (!table.ok()) continue;
    for (auto& [key, value] : AllRows(engine, *table)) content[{name, key}] = std::move(value);
  }
  return content;
}

CrashWorkload::CrashWorkload(const SimulatedDisk& start, CrashContent content, uint64_t seed)
    : files_(start), random_(seed), content_(std::move(content)) {
  constexpr TransactionKind kKinds[] = {TransactionKind::kExclusive, TransactionKind::kSerial,
                                        TransactionKind::kConcurrent};
  kind_ = kKinds[Random(3)];
  most_in_flight_ = 1 + Random(2) * Random(6);
  longest_value_ = Random(8) == 0 ? 500000 : 60000;
  Oracle::Changes before;
  for (const auto& [key, value] : content_) before.push_back({key.first, key.second, value});
  oracle_.Acknowledge(0, oracle_.Submit(0, std::move(before)));
  files_.SetHook([this](const FileCall& call) {
    if (MayLoseSomething(call)) Observe(call);
    return Fault::kNone;
  });
}

void CrashWorkload::Observe(const FileCall& call) {
  const Oracle::Horizon before = oracle_.Now();
  SimulatedDisk disk = files_.Disk();
  const Oracle::Horizon horizon = Oracle::Around(before, oracle_.Now());
  const std::lock_guard guard(mutex_);
  moments_.push_back(
      {"call " + std::to_string(call.index) + " on " + call.path, std::move(disk), horizon});
}

void CrashWorkload::Open() {
  engine_ = OpenDatabase(CrashOptions(&files_));
  ASSERT_NE(engine_, nullptr);
  session_ = engine_->Connect();
  for (const char* name : kTables) tables_[name] = MakeTable(*engine_, name);
}

void CrashWorkload::CloseAndReopen() {
  AwaitAll();
  session_.reset();
  const Status status = engine_->Close();
  EXPECT_TRUE(status.ok()) << status.message();
  engine_.reset();
  Open();
}

void CrashWorkload::Run(int batches) {
  Open();
  for (int i = 0; i < batches && !testing::Test::HasFailure(); ++i) {
    if (Random(16) == 0) CloseAndReopen();
    if (Random(16) == 0) {
      EXPECT_EQ(Text(engine_->MergeAll()), "ok");
    }
    WriteBatch();
  }
  AwaitAll();
  if (Random(2) == 0) CloseAndReopen();
  session_.reset();
  engine_.reset();
}

void CrashWorkload::WriteBatch() {
  Submit(MakeChanges());
  if (in_flight_.size() >= most_in_flight_) AwaitAll();
}

std::string CrashWorkload::MakeValue() {
  const size_t sizes[] = {0, 1, 30, 30, 30, 500, 5000, longest_value_};
  const size_t most = sizes[Random(8)];
  std::string value(most == 0 ? 0 : 1 + Random(most), '\0');
  for (char& c : value) c = static_cast<char>(random_());
  return value;
}

Oracle::Changes CrashWorkload::MakeChanges() {
  Oracle::Changes changes;
  std::set<std::pair<std::string, int64_t>> touched;
  size_t bytes = 0;
  for (uint64_t count = 1 + Random(8); count > 0; --count) {
    const std::string table = kTables[Random(2)];
    const auto key = static_cast<int64_t>(Random(40)) - 20;
    if (moving_.contains({table, key}) || !touched.insert({table, key}).second) continue;
    std::optional<std::string> value;
    const bool erase = content_.contains({table, key}) && Random(3) == 0;
    if (!erase) {
      value = MakeValue();
      bytes += value->size();
      if (bytes > kMostBatchBytes) break;
    }
    changes.push_back({table, key, std::move(value)});
  }
  return changes;
}

void CrashWorkload::Submit(Oracle::Changes changes) {
  Transaction transaction = BeginOn(*session_, kind_);
  Batch rows = transaction.batch();
  const bool checked = Random(2) == 0;
  Status status;
  for (const auto& [table, key, value] : changes) {
    const TableId id = tables_[table];
    const bool live = content_.contains({table, key});
    if (!value.has_value()) {
      checked ? static_cast<void>(status = transaction.Erase(id, key)) : rows.Erase(id, key);
    } else if (live) {
      checked ? static_cast<void>(status = transaction.Update(id, key, *value))
              : rows.Update(id, key, *value);
    } else {
      checked ? static_cast<void>(status = transaction.Insert(id, key, *value))
              : rows.Insert(id, key, *value);
    }
    EXPECT_TRUE(status.ok()) << status.message();
    moving_.insert({table, key});
    if (value.has_value()) {
      content_[{table, key}] = *value;
    } else {
      content_.erase({table, key});
    }
  }
  const size_t batch = oracle_.Submit(0, std::move(changes));
  status = transaction.CommitAsync();
  EXPECT_TRUE(status.ok()) << status.message();
  in_flight_.push_back({std::move(transaction), batch});
}

void CrashWorkload::AwaitAll() {
  for (InFlight& one : in_flight_) {
    const Status status = one.transaction.Await();
    EXPECT_TRUE(status.ok()) << status.message();
    if (status.ok()) oracle_.Acknowledge(0, one.batch);
  }
  in_flight_.clear();
  moving_.clear();
}

}  // namespace burin
