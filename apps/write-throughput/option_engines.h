// The value of --engine: names of the table of targets and paths of the user's own libraries.
// Thread rule: a function of its arguments.
#pragma once

#include <string>

#include "apps/write-throughput/options.h"

namespace throughput {

// Sets the engines of `options`, which keeps those that are not in the table.
Expected<> ReadEngines(const std::string& text, Options& options);

}  // namespace throughput
