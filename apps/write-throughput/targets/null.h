// The target that does nothing: what is left is the harness's own cost.
// Thread rule: as target.h says.
#pragma once

#include "apps/write-throughput/targets/target.h"

namespace throughput {

TargetInfo NullTarget();

}  // namespace throughput
