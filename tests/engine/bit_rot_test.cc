// Bit rot: each byte of a small database is flipped once, in the log, the manifest and the runs.
// The right rows come back, or an error that names the file and the place; never anything else.
//
// Of bytes that are zero one in 32 is flipped, of blocks that are all zeros one in 512; with
// BURIN_EVERY_BYTE=1 every byte of a block in which anything is written, and one in 64 of others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/engine/crashed_database.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

constexpr uint64_t kBlock = 4096;

// Two runs, since each recovery makes one, and a log with three groups behind them.
class SmallDatabase {
 public:
  SmallDatabase() {
    for (int life = 0; life < 3; ++life) {
      SimulatedFileSystem files(disk_.AfterKill());
      const auto engine = OpenDatabase(SmallOptions(&files));
      const TableId table = MakeTable(*engine);
      const auto session = engine->Connect();
      for (int group = 0; group < 3; ++group) {
        before_last_group_ = rows_;
        Write(*session, table, life * 3 + group);
      }
      killed_ = files.Disk().AfterKill();
      if (life == 2) {
        EXPECT_EQ(Text(engine->Close()), "ok");
      }
      disk_ = files.Disk();
    }
  }

  const SimulatedDisk& closed() const { return disk_; }
  const SimulatedDisk& killed() const { return killed_; }  // before it was closed
  const Rows& rows() const { return rows_; }
  const Rows& before_last_group() const { return before_last_group_; }

  std::string LogFile() const { return UsedSegmentFiles(disk_).back(); }
  std::vector<std::string> Runs() const {
    std::vector<std::string> paths;
    for (const std::string& name : disk_.List(kDatabase)) {
      if (name.starts_with("run-")) paths.push_back(std::string(kDatabase) + "/" + name);
    }
    return paths;
  }

 private:
  // Inserts, an update of a row in a run, and an erasure of one.
  void Write(Session& session, TableId table, int number) {
    Transaction transaction = BeginOn(session);
    const auto put = [&](int64_t key) {
      const std::string value = "row " + std::to_string(key) + " of " + std::to_string(number);
      rows_.contains(key) ? transaction.batch().Update(table, key, value)
                          : transaction.batch().Insert(table, key, value);
      rows_[key] = value;
    };
    for (int64_t key = number * 4; key < number * 4 + 4; ++key) put(key);
    if (number > 3) {
      put(number);
      transaction.batch().Erase(table, number - 3);
      rows_.erase(number - 3);
    }
    ASSERT_EQ(Text(transaction.Commit()), "ok");
  }

  SimulatedDisk disk_;
  SimulatedDisk killed_;
  Rows rows_;
  Rows before_last_group_;
};

// What a database with one damaged file answers.
struct Answer {
  Status status;  // of opening, or else of reading
  Rows rows;
  uint64_t bytes_dropped = 0;
};

Answer Ask(const SimulatedDisk& disk) {
  SimulatedFileSystem files(disk);
  Answer answer;
  auto engine = Engine::Open(kDatabase, SmallOptions(&files));
  if (!engine.ok()) return {engine.TakeStatus(), {}, 0};
  answer.bytes_dropped = (*engine)->recovery().bytes_dropped;
  const auto table = (*engine)->FindTable("table");
  if (!table.ok()) return answer;
  const auto session = (*engine)->Connect();
  Transaction transaction = BeginOn(*session);
  answer.status =
      transaction.Scan(*table, INT64_MIN, INT64_MAX, [&](int64_t key, std::string_view value) {
        answer.rows[key] = value;
        return true;
      });
  return answer;
}

void ExpectNamed(const Status& status, const std::string& path) {
  EXPECT_EQ(status.code(), StatusCode::kCorruption) << status.message();
  EXPECT_THAT(Text(status), AllOf(HasSubstr(path), ContainsRegex(" at [0-9]+: ")));
}

// Whether the block around `at` is all zeros.
bool IsUntouched(const std::string& content, uint64_t at) {
  const std::string_view block = std::string_view(content).substr(at / kBlock * kBlock, kBlock);
  return block.find_first_not_of('\0') == block.npos;
}

// Calls `check` with the disk after each flip within [0, end) of the file.
void ForEachFlip(const SimulatedDisk& disk, const std::string& path, uint64_t begin, uint64_t end,
                 const std::function<void(const SimulatedDisk&)>& check) {
  const bool every_byte = std::getenv("BURIN_EVERY_BYTE") != nullptr;
  std::string content = disk.Content(path);
  bool untouched = false;
  for (uint64_t at = begin; at < end && !testing::Test::HasFailure(); ++at) {
    if (at == begin || at % kBlock == 0) untouched = IsUntouched(content, at);
    const uint64_t most = every_byte ? 64 : 512;
    const uint64_t stride = untouched ? most : every_byte || content[at] != 0 ? 1 : 32;
    if (at % stride != 0) continue;
    SCOPED_TRACE(path + " flipped at " + std::to_string(at));
    SimulatedDisk damaged = disk;
    const char right = content[at];
    content[at] = static_cast<char>(right ^ (1 << (at / 8 % 8)));
    damaged.SetContent(path, content);
    check(damaged);
    content[at] = right;
  }
}

// Flips all of a file of the closed database; answers how many flips were refused.
int Refusals(const SmallDatabase& database, const std::string& path) {
  int refused = 0;
  ForEachFlip(database.closed(), path, 0, database.closed().Content(path).size(),
              [&](const SimulatedDisk& damaged) {
                const Answer answer = Ask(damaged);
                if (!answer.status.ok()) {
                  ++refused;
                  ExpectNamed(answer.status, path);
                } else {
                  EXPECT_TRUE(answer.rows == database.rows()) << "rows are gone or differ";
                }
              });
  return refused;
}

TEST(BitRotTest, AFlippedByteOfAClosedLogIsHarmlessOrNamed) {
  const SmallDatabase database;
  EXPECT_GT(Refusals(database, database.LogFile()), 300);
}

TEST(BitRotTest, AFlippedByteOfTheManifestIsHarmless) {
  const SmallDatabase database;
  EXPECT_EQ(Refusals(database, ManifestFile(database.closed())), 0);
}

TEST(BitRotTest, AFlippedByteOfARunIsHarmlessOrNamed) {
  const SmallDatabase database;
  const std::vector<std::string> runs = database.Runs();
  ASSERT_EQ(runs.size(), 2u);
  for (const std::string& run : runs) EXPECT_GT(Refusals(database, run), 200);
}

// After a crash the last group cannot be told from a torn one: it may go, but not unsaid.
TEST(BitRotTest, OfACrashedLogOnlyTheLastGroupMayGoAndThatIsReported) {
  const SmallDatabase database;
  const std::string path = UsedSegmentFiles(database.killed()).back();
  const uint64_t end = WrittenEnd(database.killed().Content(path));
  const uint64_t last_group = (end - 1) / kBlock * kBlock;
  ForEachFlip(database.killed(), path, 0, end, [&](const SimulatedDisk& damaged) {
    const Answer answer = Ask(damaged);
    if (!answer.status.ok()) {
      ExpectNamed(answer.status, path);
    } else if (answer.bytes_dropped > 0) {
      EXPECT_TRUE(answer.rows == database.before_last_group()) << "more than one group is gone";
    } else {
      EXPECT_TRUE(answer.rows == database.rows()) << "rows are gone or differ";
    }
  });
  int dropped = 0;
  ForEachFlip(database.killed(), path, last_group, end, [&](const SimulatedDisk& damaged) {
    const Answer answer = Ask(damaged);
    EXPECT_EQ(Text(answer.status), "ok");
    dropped += answer.bytes_dropped > 0 ? 1 : 0;
  });
  EXPECT_GT(dropped, 80);
}

}  // namespace
}  // namespace burin
