// Whether a record can be that of a run: every program that reads results refuses the same ones.
// Thread rule: a pure function.
#pragma once

#include "apps/results/failure.h"
#include "metrics/result_record.h"

namespace throughput {

// Above any figure of a machine; axes and tables stay readable, and squares of it fit a double.
inline constexpr double kMaxFigure = 1e15;

// Refused, in one line that begins with the field: a run that was interrupted or has no rows; a
// system without a name; a figure that no run has (0 threads, a negative or gigantic value, one
// that is not finite); rows_per_second that is not rows / seconds, to a thousandth; intervals whose
// ends do not rise. The last interval may end before the one before it: earlier versions of
// write-throughput took a sample while the window closed.
Result<void> CheckRecord(const metrics::ResultRecord& record);

}  // namespace throughput
