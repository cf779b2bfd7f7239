// What the disk allows for a cell, measured just before it, as disks drift: raw-log with the cell's
// threads, rows and values, a second long, in a process of its own.
// Thread rule: as cell_process.h says.
#pragma once

#include <string>

#include "apps/write-throughput/cell_process.h"

namespace throughput {

struct DiskLimit {
  double rows_per_second = 0;
  bool interrupted = false;
};

bool HasDiskLimit(const TargetInfo& engine);  // its commits reach this disk, and it is no limit

// At `path`, which is free, and is free again behind it.
Expected<DiskLimit> MeasureDiskLimit(const RunPlan& plan, const std::string& path,
                                     Interrupt& interrupt);

}  // namespace throughput
