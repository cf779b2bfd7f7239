// The target "lmdb" (target.h), by dlopen.
#pragma once

#include "apps/write-throughput/targets/target.h"

namespace throughput {

TargetInfo LmdbTarget();

}  // namespace throughput
