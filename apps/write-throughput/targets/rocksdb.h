// The target "rocksdb" (target.h), by dlopen.
#pragma once

#include "apps/write-throughput/targets/target.h"

namespace throughput {

TargetInfo RocksdbTarget();

}  // namespace throughput
