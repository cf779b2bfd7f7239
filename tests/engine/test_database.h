// What most tests of the engine begin with: opening a small database on simulated files, writing to
// it and reading all of it.
//
// Thread rule: functions without state. Errors of the engine where a test expects none are test
// failures here.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "tests/engine/simulated_file_system.h"

namespace burin {

inline constexpr char kDatabase[] = "/db";
inline constexpr uint64_t kSmallestSegment = 1 << 20;

using Rows = std::map<int64_t, std::string>;

// 1 MiB segments and 1,024 slots, so that both run out in a test.
EngineOptions SmallOptions(FileSystem* file_system);

// Open, CreateTable and Begin that must work.
std::unique_ptr<Engine> OpenDatabase(const EngineOptions& options,
                                     const std::string& path = kDatabase);
TableId MakeTable(Engine& engine, std::string_view name = "table");
Transaction BeginOn(Session& session, TransactionKind kind = TransactionKind::kConcurrent);

// One committed transaction with one row.
Status InsertRow(Session& session, TableId table, int64_t key, std::string_view value,
                 TransactionKind kind = TransactionKind::kConcurrent);

Rows AllRows(Transaction& transaction, TableId table, int64_t first = INT64_MIN,
             int64_t last = INT64_MAX);
Rows AllRows(Engine& engine, TableId table);  // what is durable

std::string Text(const Status& status);

// For the names of tests that go through the kinds.
std::string KindName(const testing::TestParamInfo<TransactionKind>& kind);

// Paths of the log's segments in order, of those in which anything is written, and of the manifest.
std::vector<std::string> SegmentFiles(const SimulatedDisk& disk);
std::vector<std::string> UsedSegmentFiles(const SimulatedDisk& disk);
std::string ManifestFile(const SimulatedDisk& disk);

// Where the bytes that are not zero end; 0 when there are none.
uint64_t WrittenEnd(const std::string& content);

// Runs `body` and ends the program when that takes longer: a hang becomes a failure.
void WithDeadline(std::chrono::seconds limit, const std::function<void()>& body);

}  // namespace burin
