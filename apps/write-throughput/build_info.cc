#include "apps/write-throughput/build_info.h"

#include <fmt/format.h>
#include <oneapi/tbb/version.h>

#include "apps/write-throughput/build_commit.h"
#include "metrics/events.h"

namespace throughput {

std::string BuildCommit() { return WRITE_THROUGHPUT_COMMIT; }

std::string BuildType() { return WRITE_THROUGHPUT_BUILD_TYPE; }

std::vector<std::pair<std::string, std::string>> BuildLibraries() {
  return {{"oneTBB", TBB_runtime_version()}};
}

std::string BuildText() {
  std::string text = fmt::format("write-throughput {}", WRITE_THROUGHPUT_VERSION);
  if (!BuildCommit().empty()) text += fmt::format(" ({})", BuildCommit());
  text += fmt::format(" {}\n", BuildType());
  for (const auto& [name, version] : BuildLibraries())
    text += fmt::format("{} {}\n", name, version);
  return text + fmt::format("libpfm4 {}\n", metrics::LibpfmVersion());
}

}  // namespace throughput
