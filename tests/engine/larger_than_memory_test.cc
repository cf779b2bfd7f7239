// Data larger than memory: rows lie in the active table, in frozen ones and in runs, are found in
// all of them under one snapshot, and cost no more memory and disk than was promised.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <deque>
#include <fstream>
#include <random>
#include <set>
#include <thread>

#include "tests/engine/temporary_folder.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

EngineOptions TinyOptions(FileSystem* files) {
  EngineOptions options = SmallOptions(files);
  options.table_bytes = 64 << 10;
  options.cache_bytes = 32 << 10;
  return options;
}

std::vector<std::string> RunFiles(const SimulatedDisk& disk) {
  std::vector<std::string> paths;
  for (const std::string& name : disk.List(kDatabase)) {
    if (name.starts_with("run-")) paths.push_back(std::string(kDatabase) + "/" + name);
  }
  return paths;
}

// Whether it comes true while the background works.
bool Eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// A writer, its model, and readers whose snapshots stay open for a while.
class SnapshotsBesideAWriter {
 public:
  SnapshotsBesideAWriter(Engine& engine, uint64_t seed)
      : engine_(engine), table_(MakeTable(engine)), session_(engine.Connect()), random_(seed) {}

  void Run(int transactions) {
    for (int i = 0; i < transactions && !testing::Test::HasFailure(); ++i) {
      WriteSome();
      if (i % 25 == 0) OpenSnapshot();
      if (i % 10 == 0) CheckSnapshots();
      if (i % 97 == 0) {
        EXPECT_EQ(Text(engine_.MergeAll()), "ok");
      }
    }
    CheckSnapshots();
  }

 private:
  static constexpr int64_t kKeys = 400;

  struct Reader {
    Reader(std::unique_ptr<Session> with, Rows seen)
        : session(std::move(with)), transaction(BeginOn(*session)), rows(std::move(seen)) {}
    std::unique_ptr<Session> session;
    Transaction transaction;
    const Rows rows;
  };

  void WriteSome() {
    Transaction transaction = BeginOn(*session_);
    std::map<int64_t, bool> erased;
    for (int i = 0; i < 20; ++i) erased[Key()] = random_() % 4 == 0;
    for (const auto& [key, erase] : erased) {
      const bool live = rows_.contains(key);
      const std::string value(random_() % 700, static_cast<char>('a' + random_() % 26));
      if (live && erase) {
        EXPECT_EQ(Text(transaction.Erase(table_, key)), "ok");
        rows_.erase(key);
        continue;
      }
      EXPECT_EQ(Text(live ? transaction.Update(table_, key, value)
                          : transaction.Insert(table_, key, value)),
                "ok");
      rows_[key] = value;
    }
    EXPECT_EQ(Text(transaction.Commit()), "ok");
  }

  void OpenSnapshot() {
    readers_.emplace_back(engine_.Connect(), rows_);
    if (readers_.size() > 4) readers_.pop_front();
  }

  void CheckSnapshots() {
    for (Reader& reader : readers_) {
      EXPECT_TRUE(AllRows(reader.transaction, table_) == reader.rows) << "a scan differs";
      for (int i = 0; i < 20; ++i) {
        const int64_t key = Key();
        const auto value = reader.transaction.Get(table_, key);
        ASSERT_TRUE(value.ok()) << value.status().message();
        const auto expected = reader.rows.find(key);
        ASSERT_EQ(value->has_value(), expected != reader.rows.end()) << key;
        if (value->has_value()) {
          ASSERT_EQ(**value, expected->second) << key;
        }
      }
    }
  }

  int64_t Key() { return static_cast<int64_t>(random_() % kKeys) - kKeys / 2; }

  Engine& engine_;
  const TableId table_;
  const std::unique_ptr<Session> session_;
  std::mt19937_64 random_;
  Rows rows_;
  std::deque<Reader> readers_;
};

TEST(LargerThanMemoryTest, ASnapshotSeesItsRowsWhereverTheyLie) {
  for (const auto mode : {CheckpointMode::kPassive, CheckpointMode::kTruncate}) {
    SimulatedFileSystem files;
    EngineOptions options = TinyOptions(&files);
    options.checkpoint = mode;
    const auto engine = OpenDatabase(options);
    SnapshotsBesideAWriter(*engine, 7).Run(2000);
    EXPECT_GE(engine->Statistics().checkpoints, 10u);
    EXPECT_GE(engine->Statistics().merges, 4u);
  }
}

// Of this process, resident.
uint64_t MemoryBytes() {
  uint64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// While one scan stands still, each row is written again 64 times, a mebibyte each time.
TEST(LargerThanMemoryTest, ALongScanNeitherPinsWhatIsWrittenBesideItNorLosesAVersion) {
  constexpr int64_t kRows = 700;
  constexpr uint64_t kMebibyte = 1 << 20;
  const TemporaryFolder folder;
  EngineOptions options = SmallOptions(nullptr);
  options.table_bytes = kMebibyte;
  options.cache_bytes = kMebibyte;
  const auto engine = OpenDatabase(options, folder / "db");
  const TableId table = MakeTable(*engine);
  const auto writer = engine->Connect();
  const auto write_all = [&](int round) {
    constexpr int64_t kOfATransaction = 350;
    for (int64_t first = 0; first < kRows; first += kOfATransaction) {
      Transaction transaction = BeginOn(*writer);
      for (int64_t key = first; key < first + kOfATransaction; ++key) {
        const std::string value(1500, static_cast<char>('0' + round));
        round == 0 ? transaction.batch().Insert(table, key, value)
                   : transaction.batch().Update(table, key, value);
      }
      ASSERT_EQ(Text(transaction.Commit()), "ok");
    }
  };
  for (int round = 0; round < 8; ++round) write_all(round);

  const uint64_t before = MemoryBytes();
  const auto reader = engine->Connect();
  Transaction transaction = BeginOn(*reader);
  int64_t seen = 0;
  const Status status = transaction.Scan(table, 0, kRows, [&](int64_t key, std::string_view value) {
    EXPECT_EQ(key, seen++);
    EXPECT_EQ(value, std::string(1500, '7'));
    if (key == 100) {
      for (int round = 8; round < 72; ++round) write_all(round);
      EXPECT_LT(MemoryBytes(), before + 24 * kMebibyte);
    }
    return true;
  });
  EXPECT_EQ(Text(status), "ok");
  EXPECT_EQ(seen, kRows);
  EXPECT_EQ(AllRows(transaction, table).at(kRows - 1), std::string(1500, '7'));
  EXPECT_GE(engine->Statistics().checkpoints, 40u);
}

// Writes so many tables full.
void FillTables(Engine& engine, int count) {
  const TableId table = MakeTable(engine);
  const auto session = engine.Connect();
  uint64_t number = 16 * engine.Statistics().commits;  // of a row
  for (const uint64_t until = engine.Statistics().table_freezes + static_cast<uint64_t>(count);
       engine.Statistics().table_freezes < until;) {
    Transaction transaction = BeginOn(*session);
    for (int i = 0; i < 16; ++i) {  // everywhere among the keys, so that no run is beside another
      const auto key = static_cast<int64_t>(number++ * 0x9e3779b97f4a7c15);
      transaction.batch().Insert(table, key, std::string(1000, 'x'));
    }
    ASSERT_EQ(Text(transaction.Commit()), "ok");
  }
}

TEST(LargerThanMemoryTest, MergesKeepTheNumberOfRunsLogarithmic) {
  SimulatedFileSystem files;
  const auto engine = OpenDatabase(TinyOptions(&files));
  for (int tables = 12; tables <= 96; tables += 12) {
    FillTables(*engine, 12);
    // At most fifteen of a size before they become one sixteen times as large.
    const auto most = static_cast<size_t>(15 * std::ceil(std::log(tables) / std::log(16)));
    EXPECT_TRUE(Eventually([&] { return RunFiles(files.Disk()).size() <= most; }))
        << RunFiles(files.Disk()).size() << " runs of " << tables << " tables";
  }
  EXPECT_GE(engine->Statistics().checkpoints, 90u);
}

// The thread that merges gets no file, as if it could not keep up.
TEST(LargerThanMemoryTest, RunsStayBoundedWhenMergesFallBehind) {
  SimulatedFileSystem files;
  files.SetHook([](const FileCall& call) {
    char name[16] = {};
    pthread_getname_np(pthread_self(), name, sizeof name);
    const bool merging = std::string_view(name) == "burin-merge";
    return merging && call.kind == FileCall::Kind::kCreate ? Fault::kError : Fault::kNone;
  });
  const auto engine = OpenDatabase(TinyOptions(&files));
  FillTables(*engine, 150);
  EXPECT_LE(RunFiles(files.Disk()).size(), 102u);
}

TEST(LargerThanMemoryTest, AfterAFullMergeTheDiskHoldsLittleMoreThanWhatIsLive) {
  SimulatedFileSystem files;
  const auto engine = OpenDatabase(TinyOptions(&files));
  const TableId table = MakeTable(*engine);
  const auto session = engine->Connect();
  std::mt19937_64 random(3);
  Rows rows;
  for (int i = 0; i < 1200; ++i) {
    Transaction transaction = BeginOn(*session);
    std::set<int64_t> keys;
    for (int row = 0; row < 10; ++row) keys.insert(static_cast<int64_t>(random() % 6000));
    for (const int64_t key : keys) {
      const std::string value(100 + random() % 50, static_cast<char>(random()));
      const bool live = rows.contains(key);
      if (live && random() % 3 == 0) {
        transaction.batch().Erase(table, key);
        rows.erase(key);
      } else {
        live ? transaction.batch().Update(table, key, value)
             : transaction.batch().Insert(table, key, value);
        rows[key] = value;
      }
    }
    ASSERT_EQ(Text(transaction.Commit()), "ok");
  }
  // A recovery puts what is still in memory into runs, too.
  SimulatedFileSystem again(files.Disk().AfterKill());
  const auto reopened = OpenDatabase(TinyOptions(&again));
  ASSERT_EQ(Text(reopened->MergeAll()), "ok");
  EXPECT_TRUE(AllRows(*reopened, MakeTable(*reopened)) == rows);

  uint64_t live = 0, held = 0;
  for (const auto& [key, value] : rows) live += sizeof key + value.size();
  const SimulatedDisk disk = again.Disk();
  for (const std::string& run : RunFiles(disk)) held += disk.Content(run).size();
  EXPECT_EQ(RunFiles(disk).size(), 1u);
  EXPECT_LE(static_cast<double>(held), 1.3 * static_cast<double>(live));
  EXPECT_LE(SegmentFiles(disk).size(), 4u);  // whatever has been written: current, next, two spare
}

TEST(LargerThanMemoryTest, WhenAllIsErasedAFullMergeLeavesNothing) {
  SimulatedFileSystem files;
  const auto engine = OpenDatabase(TinyOptions(&files));
  const TableId table = MakeTable(*engine);
  const auto session = engine->Connect();
  for (const bool erase : {false, true}) {
    for (int64_t key = 0; key < 500; ++key) {
      Transaction transaction = BeginOn(*session);
      erase ? transaction.batch().Erase(table, key)
            : transaction.batch().Insert(table, key, std::string(1000, 'x'));
      ASSERT_EQ(Text(transaction.Commit()), "ok");
    }
  }
  SimulatedFileSystem again(files.Disk().AfterKill());
  const auto reopened = OpenDatabase(TinyOptions(&again));
  ASSERT_EQ(Text(reopened->MergeAll()), "ok");
  EXPECT_EQ(AllRows(*reopened, MakeTable(*reopened)), Rows());
  uint64_t held = 0;
  const SimulatedDisk disk = again.Disk();
  for (const std::string& run : RunFiles(disk)) held += disk.Content(run).size();
  EXPECT_LT(held, 1000u);
}

}  // namespace
}  // namespace burin
