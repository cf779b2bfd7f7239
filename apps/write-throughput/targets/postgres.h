// PostgreSQL and what speaks its protocol, through libpq: the way out of one machine.
#pragma once

#include "apps/write-throughput/targets/target.h"

namespace throughput {

TargetInfo PostgresTarget();

}  // namespace throughput
