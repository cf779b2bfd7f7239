// The target "sqlite" (target.h): any library with SQLite's C interface, by dlopen.
#pragma once

#include "apps/write-throughput/targets/target.h"

namespace throughput {

TargetInfo SqliteTarget();

}  // namespace throughput
