// Makes one run of several.
//
// A block whose keys no other input has is copied as it is, so that data which was only ever
// appended costs a copy of its bytes and no look at its rows.
// Thread rule: functions; the inputs may be read by anyone meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/runs/retention.h"
#include "engine/runs/run.h"
#include "engine/runs/run_writer.h"

namespace burin {

struct MergeCounts {
  uint64_t blocks_copied = 0;
  uint64_t rows_copied = 0;  // with these blocks
  uint64_t rows_read = 0;    // one by one
};

// Merges `inputs`, newest first: of one key all versions in an input are newer than those in the
// inputs behind it, or copies of theirs that a replay made. The output is the user's to finish; its
// Pace may end the merge. kCorruption and kIoError name the input's file.
Result<MergeCounts> MergeRuns(std::span<const std::shared_ptr<const Run>> inputs,
                              const Retention& retention, RunWriter* output);

}  // namespace burin
