#include "tests/engine/test_database.h"

#include <cstdio>
#include <cstdlib>
#include <future>

namespace burin {

EngineOptions SmallOptions(FileSystem* file_system) {
  EngineOptions options;
  options.segment_bytes = kSmallestSegment;
  options.table_slots = 1024;
  options.file_system = file_system;
  return options;
}

std::unique_ptr<Engine> OpenDatabase(const EngineOptions& options, const std::string& path) {
  auto engine = Engine::Open(path, options);
  EXPECT_TRUE(engine.ok()) << engine.status().message();
  return engine.ok() ? std::move(*engine) : nullptr;
}

TableId MakeTable(Engine& engine, std::string_view name) {
  const auto table = engine.CreateTable(name);
  EXPECT_TRUE(table.ok()) << table.status().message();
  return table.ok() ? *table : UINT32_MAX;
}

Transaction BeginOn(Session& session, TransactionKind kind) {
  auto transaction = session.Begin(kind);
  EXPECT_TRUE(transaction.ok()) << transaction.status().message();
  return transaction.ok() ? std::move(*transaction) : Transaction();
}

Status InsertRow(Session& session, TableId table, int64_t key, std::string_view value,
                 TransactionKind kind) {
  Transaction transaction = BeginOn(session, kind);
  if (Status status = transaction.Insert(table, key, value); !status.ok()) return status;
  return transaction.Commit();
}

Rows AllRows(Transaction& transaction, TableId table, int64_t first, int64_t last) {
  Rows rows;
  int64_t previous = INT64_MIN;
  const Status status =
      transaction.Scan(table, first, last, [&](int64_t key, std::string_view value) {
        EXPECT_TRUE(rows.empty() || previous < key) << previous << " before " << key;
        previous = key;
        rows[key] = value;
        return true;
      });
  EXPECT_TRUE(status.ok()) << status.message();
  return rows;
}

Rows AllRows(Engine& engine, TableId table) {
  const auto session = engine.Connect();
  Transaction transaction = BeginOn(*session);
  return AllRows(transaction, table);
}

std::string Text(const Status& status) { return std::string(status.message()); }

std::string KindName(const testing::TestParamInfo<TransactionKind>& kind) {
  constexpr const char* kNames[] = {"Exclusive", "Serial", "Concurrent"};
  return kNames[static_cast<int>(kind.param)];
}

namespace {

std::vector<std::string> FilesWith(const SimulatedDisk& disk, std::string_view start) {
  std::vector<std::string> paths;
  for (const std::string& name : disk.List(kDatabase)) {
    if (name.starts_with(start)) paths.push_back(std::string(kDatabase) + "/" + name);
  }
  return paths;
}

}  // namespace

std::vector<std::string> SegmentFiles(const SimulatedDisk& disk) { return FilesWith(disk, "log-"); }

std::vector<std::string> UsedSegmentFiles(const SimulatedDisk& disk) {
  std::vector<std::string> used;
  for (std::string& path : SegmentFiles(disk)) {
    if (WrittenEnd(disk.Content(path)) > 0) used.push_back(std::move(path));
  }
  return used;
}

std::string ManifestFile(const SimulatedDisk& disk) {
  const std::vector<std::string> paths = FilesWith(disk, "MANIFEST");
  EXPECT_EQ(paths.size(), 1u);
  return paths.empty() ? "" : paths.front();
}

uint64_t WrittenEnd(const std::string& content) {
  const size_t last = content.find_last_not_of('\0');
  return last == std::string::npos ? 0 : last + 1;
}

void WithDeadline(std::chrono::seconds limit, const std::function<void()>& body) {
  auto done = std::async(std::launch::async, body);
  if (done.wait_for(limit) == std::future_status::ready) return;
  std::fprintf(stderr, "a thread hangs: not done within %lld s\n",
               static_cast<long long>(limit.count()));
  std::abort();
}

}  // namespace burin
