// Reads the small text files in which the kernel tells about itself.
// Thread rule: a function of its argument.
#pragma once

#include <optional>
#include <string>

namespace metrics {

// The whole file; absent when it cannot be opened or read.
std::optional<std::string> ReadTextFile(const std::string& path);

}  // namespace metrics
