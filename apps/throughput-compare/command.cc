// Owns how programs and files are told apart, and which flags a side must not have.
#include "apps/throughput-compare/command.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "apps/results/text.h"
#include "apps/write-throughput/flags.h"

namespace throughput {
namespace {

namespace fs = std::filesystem;

bool IsRegular(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// Some file systems show every file as one that can be executed.
bool BeginsLikeAResult(const std::string& path) { return std::ifstream(path).peek() == '{'; }

bool IsProgram(const std::string& path) {
  return IsRegular(path) && ::access(path.c_str(), X_OK) == 0 && !BeginsLikeAResult(path);
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

// Why `word` is neither a program nor a file of results.
std::string WhatIsWrongWith(const std::string& word, bool has_folder) {
  struct stat status {};
  if (::stat(word.c_str(), &status) != 0) {
    const int error = errno;
    if (error == ENOENT && !has_folder) return "no such file, and no such program in PATH";
    return std::generic_category().message(error);
  }
  if (S_ISDIR(status.st_mode)) return "is a directory";
  if (S_ISREG(status.st_mode)) return "is a program here, but not in PATH: call it ./" + word;
  return "is no regular file";
}

bool NamesWriteThroughput(const std::string& word) {
  return fs::path(word).filename().string().find("write-throughput") != std::string::npos;
}

bool IsRefused(const Flag& flag) {
  constexpr std::array<std::string_view, 6> kOfOutput = {"format", "header",  "output",
                                                         "resume", "summary", "summary-output"};
  return flag.group == "Information" ||
         std::find(kOfOutput.begin(), kOfOutput.end(), flag.name) != kOfOutput.end();
}

const Flag* RefusedLetter(std::string_view letters) {
  for (const char letter : letters) {
    const Flag* flag = FindFlag(letter);
    if (flag != nullptr && IsRefused(*flag)) return flag;
  }
  return nullptr;
}

const Flag* RefusedFlag(const std::string& word) {
  if (!word.starts_with("--"))
    return word.starts_with("-") ? RefusedLetter(word.substr(1)) : nullptr;
  const Flag* flag = FindFlag(std::string_view(word).substr(2, word.find('=') - 2));
  return flag != nullptr && IsRefused(*flag) ? flag : nullptr;
}

}  // namespace

Result<SideKind> KindOf(const std::vector<std::string>& words, const std::string& name) {
  const std::string& word = words.front();
  const bool has_folder = word.find('/') != std::string::npos;
  if (has_folder ? IsProgram(word) : IsInPath(word)) return SideKind::kCommand;
  if (IsRegular(word) && (::access(word.c_str(), X_OK) != 0 || BeginsLikeAResult(word))) {
    return SideKind::kFiles;
  }
  return Refused(fmt::format("{} '{}': {}; a program or result files are allowed", name,
                             Printable(word), Printable(WhatIsWrongWith(word, has_folder))));
}

Result<void> CheckFlags(const std::vector<std::string>& words, const std::string& name) {
  const auto named = std::find_if(words.begin(), words.end(), NamesWriteThroughput);
  const std::vector<std::string> command(named == words.end() ? words.begin() : named, words.end());
  const auto without_values = ReplaceValues(
      NormalizeWords(command), [](const Flag&, const std::string&) { return std::string(); });
  for (const std::string& word : without_values) {
    if (word == "--") break;
    const Flag* flag = RefusedFlag(word);
    if (flag == nullptr) continue;
    return Refused(
        fmt::format("{} '--{}': throughput-compare reads the record itself, by --format "
                    "json and -o; no flag of the output's form or place is allowed, "
                    "nor one that prints and leaves",
                    name, flag->name));
  }
  return {};
}

}  // namespace throughput
