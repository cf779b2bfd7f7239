// The log's files: their names, and how one is prepared or found.
//
// A segment file is named by its sequence number. It is prepared, that is full of written and
// synced zeros, before its first use; its header goes out together with its first group, so a file
// without a header never held an acknowledged record.
// Thread rule: functions without state.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/file_system.h"
#include "engine/log/format.h"

namespace burin {

std::string SegmentPath(const std::string& folder, uint64_t sequence);

// Whether `name` (without its folder) is one of a segment's, finished or not.
bool IsSegmentName(std::string_view name);

// The sequence number in a finished segment's name; 0: it is none.
uint64_t SegmentSequence(std::string_view name);

// A segment's file, ready for use.
struct PreparedSegment {
  std::unique_ptr<File> file;
  bool reused = false;  // holds records of an earlier use, not zeros
};

// A new file of `bytes` zeros, durable with its name; on failure nothing is left behind.
Result<PreparedSegment> PrepareSegment(FileSystem& files, const std::string& folder,
                                       uint64_t sequence, uint64_t bytes);

// The whole file; its offset is the index.
Result<std::vector<char>> ReadWholeFile(FileSystem& files, const std::string& path);

// The file of a segment that is not needed any more, under the name of a later one; durable with
// its name. What it holds fails as records of its new use. kInvalidArgument: it is shorter than
// `bytes`.
Result<PreparedSegment> RecycleSegment(FileSystem& files, const std::string& folder,
                                       uint64_t old_sequence, uint64_t sequence, uint64_t bytes);

// Where a log ends: what the next segment names as its predecessor.
struct LogTail {
  uint64_t sequence = 0;    // of the last segment that holds records; 0: there is none
  uint64_t generation = 0;  // of that segment
  Lsn end = 0;              // exclusive; on a block boundary
  Lsn start_lsn = 0;        // of that segment
  uint64_t capacity = 0;    // of that segment, bytes

  Lsn NextStart() const { return start_lsn + capacity; }
};

}  // namespace burin
