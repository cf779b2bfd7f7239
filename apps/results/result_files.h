// The result files of write-throughput (--format json), read and checked.
// Thread rule: one thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "apps/results/failure.h"
#include "apps/results/record_metrics.h"
#include "metrics/result_record.h"

namespace throughput {

// A run, what it says, and where it was read.
struct ReadRun {
  metrics::ResultRecord record;
  std::vector<Metric> metrics;
  std::string where;  // "r.json line 3", ready to be printed
};

class ResultReader {
 public:
  // Adds the runs of a file to those read so far. Refused, in one line that opens with file and
  // line number: no file, nothing in it but white space, a line that is cut short, of another
  // schema version or otherwise no record, the same run as another one, or what CheckRecord
  // refuses. Then the runs of this reader are of no use any more.
  Result<void> Read(const std::string& path);

  std::vector<ReadRun> Take() { return std::move(runs_); }

 private:
  Result<void> Add(const std::string& line, const std::string& where);

  std::vector<ReadRun> runs_;
  std::map<std::string, std::string> lines_;  // and where each was first seen
};

// Of all files in turn.
Result<std::vector<ReadRun>> ReadResults(const std::vector<std::string>& paths);

}  // namespace throughput
