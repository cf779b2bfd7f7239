#include "tests/results/lines.h"

#include <gtest/gtest.h>

#include <sstream>

namespace throughput {

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string LineWith(const std::string& text, const std::string& part) {
  for (const std::string& line : LinesOf(text)) {
    if (line.find(part) != std::string::npos) return line;
  }
  ADD_FAILURE() << "no line has '" << part << "' in:\n" << text;
  return "";
}

}  // namespace throughput
