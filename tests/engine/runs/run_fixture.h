// What the tests of runs share: row versions with values of their own, a model that knows what a
// snapshot sees of them, and a database folder in a simulated file system.
//
// Thread rule: one thread.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/runs/run.h"
#include "engine/runs/run_cursor.h"
#include "engine/runs/run_writer.h"
#include "tests/engine/simulated_file_system.h"

namespace burin {

inline constexpr DatabaseId kDatabase{{0x1234567890abcdef, 0xfedcba0987654321}};
inline constexpr Lsn kNow = ~Lsn{0};  // a snapshot that sees everything

using RunRef = std::shared_ptr<const Run>;  // within a fixture, Run is GoogleTest's

struct RunRow {
  TableId table = 1;
  int64_t key = 0;
  Lsn lsn = 0;
  bool erased = false;
  std::string value;

  RunEntry Entry() const { return {table, erased, key, lsn, value}; }
  bool operator==(const RunRow&) const = default;
};

RunRow Copy(const RunEntry& entry);
std::string Describe(const RunRow& version);
inline void PrintTo(const RunRow& version, std::ostream* to) { *to << Describe(version); }

// Sorted as a run wants them.
std::vector<RunRow> InRunOrder(std::vector<RunRow> versions);

// All versions of all rows.
class VersionModel {
 public:
  void Add(const RunRow& version);

  // What a snapshot sees: the version, even an erased one, or nothing.
  std::optional<RunRow> Find(TableId table, int64_t key, Lsn snapshot) const;
  bool HasKeysIn(TableId table, int64_t first, int64_t last) const;
  std::vector<RunRow> All() const;  // in run order

 private:
  std::map<RowPosition, std::map<Lsn, RunRow, std::greater<>>> rows_;
};

std::string Text(const Status& status);

// Makes a run of versions that are in order.
Status WriteRun(FileSystem& files, const std::string& folder, uint64_t run_id,
                const std::vector<RunRow>& versions);

// Everything a cursor sees, from the very first row on.
Result<std::vector<RunRow>> ReadAll(RunRef run);

Result<bool> HasKeysIn(const Run& run, TableId table, int64_t first, int64_t last);

Result<std::optional<RunRow>> FindVersion(const Run& run, TableId table, int64_t key, Lsn snapshot);

class RunTest : public testing::Test {
 protected:
  static constexpr const char* kFolder = "db";

  RunTest() { Reset(); }

  void Reset();  // an empty disk
  void Reset(SimulatedDisk disk);

  RunRef MustWriteAndOpen(uint64_t run_id, const std::vector<RunRow>& versions,
                          BlockCache* cache = nullptr);
  Result<RunRef> Open(uint64_t run_id, BlockCache* cache = nullptr);

  std::unique_ptr<SimulatedFileSystem> files_;
};

// Versions of `rows` keys, `step` apart, of one table, as a batch load leaves them.
std::vector<RunRow> LoadedRows(int64_t first_key, int64_t rows, int64_t step = 1);

// A random mixture: keys near and far, one to many versions, short and long values, erasures.
std::vector<RunRow> RandomVersions(std::mt19937_64& random, size_t count);

}  // namespace burin
