#include "tests/engine/kill_workload.h"

namespace burin {
namespace {

constexpr uint32_t kMostRows = 20;
constexpr uint32_t kOlder = 2 * kKillInFlight;

uint32_t RowsOf(uint32_t batch) { return 2 + batch * 7 % (kMostRows - 1); }

int64_t KeyOf(uint32_t thread, uint32_t batch, uint32_t row) {
  return (static_cast<int64_t>(batch) * kMostRows + row) * kKillThreads + thread;
}

std::string ValueOf(int64_t key, const char* what) {
  std::string value = std::string(what) + " " + std::to_string(key) + " ";
  const size_t bytes = key % 1009 == 0 ? 30000 : static_cast<size_t>(key) % 200;
  while (value.size() < bytes) value += value;
  return value;
}

}  // namespace

Oracle::Changes KillBatch(const std::string& table, uint32_t thread, uint32_t batch) {
  Oracle::Changes changes;
  for (uint32_t row = 0; row < RowsOf(batch); ++row) {
    const int64_t key = KeyOf(thread, batch, row);
    changes.push_back({table, key, ValueOf(key, "first")});
  }
  if (batch < kOlder) return changes;
  const int64_t updated = KeyOf(thread, batch - kOlder, 0);
  changes.push_back({table, updated, ValueOf(updated, "second")});
  changes.push_back({table, KeyOf(thread, batch - kOlder, 1), std::nullopt});
  return changes;
}

}  // namespace burin
