// Reads /proc/cpuinfo, uname and the mount table.
#include "metrics/environment.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <optional>

#include "metrics/events.h"
#include "metrics/text_file.h"

namespace metrics {
namespace {

// Cuts the first line off `text`; absent at its end.
std::optional<std::string_view> NextLine(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The value behind "key<blanks>:" in the first line that has that key; empty without one.
std::string_view ValueOf(std::string_view text, std::string_view key) {
  while (const auto line = NextLine(text)) {
    const size_t colon = line->find(':');
    if (colon == std::string_view::npos || Trim(line->substr(0, colon)) != key) continue;
    return Trim(line->substr(colon + 1));
  }
  return {};
}

std::string_view CutWord(std::string_view& line) {
  const size_t end = line.find(' ');
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return word;
}

// The mount table writes blanks, tabs, newlines and backslashes as three octal digits.
std::string Unescape(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(digits, digits + 3, code, 8).ptr == digits + 3) {
      plain += static_cast<char>(code);
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// The kernel's number of the mount that `path`, or the nearest folder above it, is on.
std::optional<int> MountOf(const std::string& path) {
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(path, error);
  if (error) return std::nullopt;
  int descriptor = -1;
  while ((descriptor = open(place.c_str(), O_PATH | O_CLOEXEC)) < 0) {
    if (place == place.parent_path()) return std::nullopt;
    place = place.parent_path();
  }
  const auto information = ReadTextFile(fmt::format("/proc/self/fdinfo/{}", descriptor));
  close(descriptor);
  if (!information) return std::nullopt;
  const std::string_view digits = ValueOf(*information, "mnt_id");
  int mount_id = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), mount_id).ec != std::errc()) {
    return std::nullopt;
  }
  return mount_id;
}

}  // namespace

std::string CpuModel(std::string_view cpuinfo) {
  // x86 and some others; s390 and PowerPC; RISC-V; old ARM.
  for (const char* key : {"model name", "cpu", "uarch", "Processor"}) {
    const std::string_view value = ValueOf(cpuinfo, key);
    if (!value.empty()) return std::string(value);
  }
  const std::string_view implementer = ValueOf(cpuinfo, "CPU implementer");
  if (implementer.empty()) return {};
  return fmt::format("implementer {} part {}", implementer, ValueOf(cpuinfo, "CPU part"));
}

// A line: id parent major:minor root mount-point options [tag...] - type source options
std::string FileSystemOfMount(std::string_view mountinfo, int mount_id) {
  const std::string wanted = fmt::to_string(mount_id);
  while (const auto line = NextLine(mountinfo)) {
    std::string_view rest = *line;
    if (CutWord(rest) != wanted) continue;
    const size_t separator = rest.find(" - ");
    if (separator == std::string_view::npos) return {};
    rest.remove_prefix(separator + 3);
    const std::string type = Unescape(CutWord(rest));
    return fmt::format("{} on {}", type, Unescape(CutWord(rest)));
  }
  return {};
}

Environment CollectEnvironment(const std::string& path) {
  Environment environment;
  environment.cpu = CpuModel(ReadTextFile("/proc/cpuinfo").value_or(""));
  environment.cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  utsname names{};
  if (uname(&names) == 0) {
    environment.kernel = fmt::format("{} {} {}", names.sysname, names.release, names.machine);
  }
  if (const auto mount_id = MountOf(path)) {
    environment.file_system =
        FileSystemOfMount(ReadTextFile("/proc/self/mountinfo").value_or(""), *mount_id);
  }
  environment.libraries.emplace_back("libpfm4", LibpfmVersion());
  return environment;
}

}  // namespace metrics
