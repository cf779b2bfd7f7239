// The reading end of the log: walks the segments from the first, proves each record, and decides
// what the end of the log means.
//
// A bad record at position P is a torn tail, unless something valid shows that P had been durable:
// a later record whose group base is above P, or a successor segment that names an end above P.
// Then acknowledged data is damaged, and reading answers kCorruption with file, offset and reason.
// Thread rule: one call at a time for a folder; changes no file.
#pragma once

#include <functional>
#include <string>

#include "engine/log/segment_files.h"

namespace burin {

struct LogScan {
  std::vector<LogTail> segments;  // those that hold records; the last up to its last whole one
  uint64_t bytes_dropped = 0;     // of a group behind the end, never acknowledged
  std::string end_reason;         // why the log ends there: "log-000000000001 at 8192: ..."
};

// Where reading begins.
struct LogStart {
  uint64_t sequence = 1;  // of the oldest segment that is needed
  Lsn lsn = 0;            // where that segment begins
};

// `record` is called for each whole record in log order; `body` lies in memory during the call.
Result<LogScan> ReadLog(
    FileSystem& files, const std::string& folder, const DatabaseId& database, const LogStart& start,
    const std::function<Status(const RecordHeader& header, const char* body)>& record);

}  // namespace burin
