#include "apps/throughput-compare/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "apps/results/text.h"

namespace throughput {
namespace {

namespace fs = std::filesystem;

bool IsProgram(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

bool IsInPath(const std::string& name) {
  const char* folders = std::getenv("PATH");
  std::string_view left = folders == nullptr ? "" : folders;
  while (!left.empty()) {
    const size_t colon = left.find(':');
    if (IsProgram(fmt::format("{}/{}", left.substr(0, colon), name))) return true;
    left.remove_prefix(colon == std::string_view::npos ? left.size() : colon + 1);
  }
  return false;
}

}  // namespace

Result<SideKind> KindOf(const std::vector<std::string>& words, const std::string& name) {
  const std::string& word = words.front();
  const bool has_folder = word.find('/') != std::string::npos;
  if (has_folder ? IsProgram(word) : IsInPath(word)) return SideKind::kCommand;
  std::error_code ignored;
  if (fs::is_regular_file(word, ignored) && ::access(word.c_str(), X_OK) != 0) {
    return SideKind::kFiles;
  }
  return Refused(
      fmt::format("{} '{}': a program, or a result file, is allowed", name, Printable(word)));
}

}  // namespace throughput
