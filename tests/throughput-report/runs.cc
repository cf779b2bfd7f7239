// Owns what runs of tests have in common.
#include "tests/throughput-report/runs.h"

#include <fmt/format.h>

#include "tests/results/made_record.h"

namespace throughput {

metrics::ResultRecord RunAt(int threads, int64_t compute_us, double rows_per_second,
                            const std::string& mode) {
  metrics::ResultRecord record = MadeRecord();
  record.threads = threads;
  record.compute_us = compute_us;
  SetRate(record, rows_per_second);
  record.mode = mode;
  return record;
}

std::vector<ReadRun> Read(const std::vector<metrics::ResultRecord>& records) {
  std::vector<ReadRun> runs;
  for (const metrics::ResultRecord& record : records) {
    runs.push_back({record, {}, fmt::format("r.json line {}", runs.size() + 1)});
  }
  return runs;
}

Study Studied(const std::vector<metrics::ResultRecord>& records) {
  return StudyOf(Read(records)).value();
}

std::string Refusal(const std::vector<metrics::ResultRecord>& records) {
  const auto study = StudyOf(Read(records));
  return study ? "" : study.error().message;
}

}  // namespace throughput
