// The file of a sweep that was broken off: which of its rows are whole, and which runs they are.
// Thread rule: one thread, before the program has others.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "apps/write-throughput/cells.h"
#include "apps/write-throughput/run_order.h"
#include "metrics/result_record.h"

namespace throughput {

struct EarlierRuns {
  std::set<PlannedRun> done;
  std::vector<metrics::ResultRecord> records;  // of JSON rows
  std::string rows;  // the whole rows as they are to stand in the file, the header once above them
};

// What --output holds, in the form of --format; nothing where it is absent or empty. A last line
// that was cut short is left out, and so are the rows of runs that were interrupted. JSON rows say
// which run they are; the classic ones of a cell are counted. Errors: a file that cannot be read, a
// line that is no row, or one of other flags or of another version of this program.
Expected<EarlierRuns> ReadEarlierRuns(const Options& options, const std::vector<Cell>& cells);

// Makes `rows` the contents of the file, which holds them or what it held before at any moment.
Expected<> KeepRows(const std::string& path, const std::string& rows);

}  // namespace throughput
