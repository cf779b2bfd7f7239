// The target "raw-log" (target.h): what the disk allows whoever has to write these bytes.
#pragma once

#include "apps/write-throughput/targets/target.h"

namespace throughput {

TargetInfo RawLogTarget();

}  // namespace throughput
