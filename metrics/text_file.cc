// Files of /proc have no size to ask for: read until the end.
#include "metrics/text_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace metrics {

std::optional<std::string> ReadTextFile(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  std::string text;
  std::array<char, 4096> buffer;
  ssize_t got = 0;
  while ((got = read(descriptor, buffer.data(), buffer.size())) > 0 ||
         (got < 0 && errno == EINTR)) {
    if (got > 0) text.append(buffer.data(), static_cast<size_t>(got));
  }
  close(descriptor);
  if (got < 0) return std::nullopt;
  return text;
}

}  // namespace metrics
