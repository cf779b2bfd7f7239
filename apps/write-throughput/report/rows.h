// The data rows, one for each run: the classic five columns, csv-wide, or JSON. FORMATS.md beside
// this file describes them for their readers.
// Thread rule: one thread at a time.
// Invariant: csv-wide has the same number of columns in every row of one output; the first run
// decides which counters there are.
#pragma once

#include <string>
#include <vector>

#include "metrics/result_record.h"

namespace throughput {

enum class RowFormat {
  kCsv,      // Burin,1,100,0,106875.21
  kCsvWide,  // everything in columns, units in their names
  kJson,     // metrics::ToJson
};

class Rows {
 public:
  // `header` concerns kCsv alone.
  Rows(RowFormat format, bool header) : format_(format), header_(header) {}

  // The run's row with its newline, before the first run's the header.
  std::string Text(const metrics::ResultRecord& run);

 private:
  std::string Header(const metrics::ResultRecord& first_run);
  std::string Row(const metrics::ResultRecord& run) const;

  RowFormat format_;
  bool header_;
  bool started_ = false;
  std::vector<std::string> counters_;  // labels of the csv-wide counter columns, in order
};

}  // namespace throughput
