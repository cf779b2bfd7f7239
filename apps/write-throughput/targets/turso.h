// The engine Turso: the library that `make turso` makes of targets/turso/, beside the build.
#pragma once

#include "apps/write-throughput/targets/target.h"

namespace throughput {

// Loaded by the C interface for engines of the user's own (own.h).
TargetInfo TursoTarget();

}  // namespace throughput
