// Targets that are libraries of the user's, with the C interface of write_throughput_target.h.
#pragma once

#include <string>

#include "apps/write-throughput/targets/target.h"

namespace throughput {

bool IsOwnTarget(std::string_view name);  // a path: has a slash, or ends with ".so"

// The entry of the library at `path`; what it has is known behind its probe.
TargetInfo OwnTarget(const std::string& path);

}  // namespace throughput
