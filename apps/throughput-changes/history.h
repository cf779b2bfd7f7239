// The history: one JSON line per run and commit, oldest first. FORMATS.md describes the file.
// Thread rule: values and pure functions.
// Invariants of a history that ParseHistory or HistoryChecker passed: times never fall; the lines
// of a commit stand together and have one time and one machine; a run number comes once per commit
// and test; a metric of a test keeps its unit and direction; branch and repository never change;
// every value is finite.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/results/failure.h"
#include "apps/results/record_metrics.h"

namespace throughput {

inline constexpr int kHistoryVersion = 1;

struct RecordedRun {
  std::string commit;
  int64_t time = 0;  // of the commit, seconds since 1970, 0 to kLatestTime
  std::string branch;
  std::string repository;  // an address, or empty
  std::string test;        // system and parameters of the cell
  int run = 1;             // from 1: repeats of the test at this commit
  std::string machine;     // figures of different machines are not compared in silence
  std::vector<Metric> metrics;
};

// One line without its newline.
std::string FormatRun(const RecordedRun& run);

// Passes runs one after the other, oldest first.
class HistoryChecker {
 public:
  // `where` opens the message: "history.jsonl line 3".
  Result<void> Accept(const RecordedRun& run, const std::string& where);

 private:
  Result<void> AcceptCommit(const RecordedRun& run, const std::string& where);
  Result<void> AcceptMetrics(const RecordedRun& run, const std::string& where);

  std::optional<RecordedRun> last_;                                // without its metrics
  std::set<std::string> commits_;                                  // seen
  std::set<std::pair<std::string, int>> runs_of_commit_;           // test and run number
  std::map<std::pair<std::string, std::string>, Metric> metrics_;  // by test and name
};

// `path` is for messages alone. Refused: nothing in it, a line that is cut short or no JSON, an
// unknown version, a field that is missing or out of range, or what `checker` refuses. Runs that
// are to follow go through the same checker.
Result<std::vector<RecordedRun>> ParseHistory(std::string_view text, const std::string& path,
                                              HistoryChecker& checker);

}  // namespace throughput
