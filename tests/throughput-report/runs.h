// Runs for tests of reports.
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/throughput-report/study.h"
#include "metrics/result_record.h"

namespace throughput {

// MadeRecord() with other figures.
metrics::ResultRecord RunAt(int threads, int64_t compute_us, double rows_per_second,
                            const std::string& mode = "legacy");

// As if read from "r.json", a line each; the records are right.
std::vector<ReadRun> Read(const std::vector<metrics::ResultRecord>& records);
Study Studied(const std::vector<metrics::ResultRecord>& records);

// What StudyOf says of records that it refuses; "" where it does not.
std::string Refusal(const std::vector<metrics::ResultRecord>& records);

}  // namespace throughput
