#include "tests/engine/runs/run_fixture.h"

#include <algorithm>
#include <limits>
#include <set>

namespace burin {

RunRow Copy(const RunEntry& entry) {
  return {entry.table, entry.key, entry.lsn, entry.erased, std::string(entry.value)};
}

std::string Describe(const RunRow& version) {
  return "table " + std::to_string(version.table) + " key " + std::to_string(version.key) +
         " lsn " + std::to_string(version.lsn) +
         (version.erased ? " erased" : " value of " + std::to_string(version.value.size())) + " " +
         version.value.substr(0, 20);
}

std::vector<RunRow> InRunOrder(std::vector<RunRow> versions) {
  std::sort(versions.begin(), versions.end(), [](const RunRow& a, const RunRow& b) {
    return std::tie(a.table, a.key, b.lsn) < std::tie(b.table, b.key, a.lsn);
  });
  return versions;
}

void VersionModel::Add(const RunRow& version) {
  rows_[{version.table, version.key}].insert_or_assign(version.lsn, version);
}

std::optional<RunRow> VersionModel::Find(TableId table, int64_t key, Lsn snapshot) const {
  const auto row = rows_.find({table, key});
  if (row == rows_.end()) return std::nullopt;
  const auto found = row->second.upper_bound(snapshot);  // the first with a lower LSN
  return found != row->second.end() ? std::optional(found->second) : std::nullopt;
}

bool VersionModel::HasKeysIn(TableId table, int64_t first, int64_t last) const {
  const auto found = rows_.lower_bound({table, first});
  return found != rows_.end() && found->first <= RowPosition{table, last};
}

std::vector<RunRow> VersionModel::All() const {
  std::vector<RunRow> all;
  for (const auto& [position, versions] : rows_) {
    for (const auto& [lsn, version] : versions) all.push_back(version);
  }
  return all;
}

std::string Text(const Status& status) { return std::string(status.message()); }

Status WriteRun(FileSystem& files, const std::string& folder, uint64_t run_id,
                const std::vector<RunRow>& versions) {
  auto writer = RunWriter::Create(files, folder, run_id, kDatabase);
  if (!writer.ok()) return writer.TakeStatus();
  for (const RunRow& version : versions) {
    Status status = (*writer)->Add(version.Entry());
    if (!status.ok()) return status;
  }
  return (*writer)->Finish();
}

Result<std::vector<RunRow>> ReadAll(RunRef run) {
  std::vector<RunRow> all;
  RunCursor cursor(std::move(run));
  Status status = cursor.Seek(0, std::numeric_limits<int64_t>::min());
  while (status.ok() && cursor.valid()) {
    all.push_back(Copy(cursor.entry()));
    status = cursor.Next();
  }
  if (!status.ok()) return status;
  return all;
}

Result<bool> HasKeysIn(const Run& run, TableId table, int64_t first, int64_t last) {
  const auto empty = run.EmptyRangeAround(table, first, last);
  if (!empty.ok()) return empty.status();
  return !empty->has_value();
}

Result<std::optional<RunRow>> FindVersion(const Run& run, TableId table, int64_t key,
                                          Lsn snapshot) {
  auto found = run.Find(table, key, snapshot);
  if (!found.ok()) return found.TakeStatus();
  if (!found->has_value()) return std::optional<RunRow>();
  const RunVersion& version = **found;
  return std::optional<RunRow>(
      {table, key, version.lsn, version.erased, std::string(version.value)});
}

void RunTest::Reset() {
  SimulatedDisk disk;
  disk.CreateFolder(kFolder);
  disk.SyncFolder(".");
  Reset(std::move(disk));
}

void RunTest::Reset(SimulatedDisk disk) {
  files_ = std::make_unique<SimulatedFileSystem>(std::move(disk));
}

RunRef RunTest::MustWriteAndOpen(uint64_t run_id, const std::vector<RunRow>& versions,
                                 BlockCache* cache) {
  const Status written = WriteRun(*files_, kFolder, run_id, versions);
  EXPECT_TRUE(written.ok()) << Text(written);
  auto run = Open(run_id, cache);
  EXPECT_TRUE(run.ok()) << Text(run.status());
  return *run;
}

Result<RunRef> RunTest::Open(uint64_t run_id, BlockCache* cache) {
  return burin::Run::Open(*files_, kFolder, run_id, kDatabase, cache);
}

std::vector<RunRow> LoadedRows(int64_t first_key, int64_t rows, int64_t step) {
  std::vector<RunRow> versions;
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t key = first_key + i * step;
    const Lsn lsn = 1'000'000 + static_cast<Lsn>(i / 100) * 8192;  // commits of 100 rows
    versions.push_back({1, key, lsn, false, "data_" + std::to_string(key)});
  }
  return versions;
}

namespace {

int64_t RandomKey(std::mt19937_64& random) {
  switch (random() % 5) {
    case 0:
      return static_cast<int64_t>(random());
    case 1:
      return static_cast<int64_t>(random() % 2000) - 1000;
    case 2:
      return static_cast<int64_t>(random() % 200) * 1000;
    case 3:
      return std::numeric_limits<int64_t>::min() + static_cast<int64_t>(random() % 3);
    default:
      return std::numeric_limits<int64_t>::max() - static_cast<int64_t>(random() % 3);
  }
}

std::string RandomValue(std::mt19937_64& random) {
  size_t size = random() % 40;
  if (random() % 20 == 0) size = random() % 3000;
  if (random() % 300 == 0) size = random() % 40000;
  std::string value(size, '\0');
  for (char& c : value) c = static_cast<char>(random());
  return value;
}

}  // namespace

std::vector<RunRow> RandomVersions(std::mt19937_64& random, size_t count) {
  VersionModel model;
  const Lsn lsn_range = random() % 2 == 0 ? 50 : 1'000'000'000;
  const uint64_t tables = 1 + random() % 3;
  for (size_t i = 0; i < count; ++i) {
    RunRow version;
    version.table = static_cast<TableId>(random() % tables);
    version.key = RandomKey(random);
    const uint64_t versions = random() % 50 == 0 ? random() % 60 : 1 + random() % 2;
    for (uint64_t v = 0; v < versions; ++v) {
      version.lsn = random() % 4 == 0 ? 0 : random() % lsn_range;
      version.erased = random() % 6 == 0;
      version.value = version.erased ? std::string() : RandomValue(random);
      model.Add(version);
    }
  }
  return model.All();
}

}  // namespace burin
