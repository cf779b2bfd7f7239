// Output of programs, line by line.
// Thread rule: pure functions.
#pragma once

#include <string>
#include <vector>

namespace throughput {

std::vector<std::string> LinesOf(const std::string& text);

// The first line that holds `part`; fails the test when there is none.
std::string LineWith(const std::string& text, const std::string& part);

}  // namespace throughput
