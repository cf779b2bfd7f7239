// Burin, our own engine, as a target. A database of ours carries the creator mark in its manifest.
// Thread rule: as target.h says.
#pragma once

#include "apps/write-throughput/targets/target.h"

namespace throughput {

TargetInfo BurinTarget();

}  // namespace throughput
