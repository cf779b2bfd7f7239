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
  LogTail tail;                // the last segment that holds records, up to its last whole one
  bool tail_has_successor = false;  // then all of the tail is known to be durable
  uint64_t bytes_dropped = 0;  // written behind the end, never acknowledged
  std::string end_reason;      // why the log ends there: "log-000000000001 at 8192: ..."
  std::vector<char> tail_content;  // the tail segment's bytes up to its end, unless a successor
                                   // shows that they are durable
};

// `record` is called for each whole record in log order; `body` lies in memory during the call.
Result<LogScan> ReadLog(
    FileSystem& files, const std::string& folder, const DatabaseId& database,
    uint64_t first_sequence,
    const std::function<Status(const RecordHeader& header, const char* body)>& record);

}  // namespace burin
