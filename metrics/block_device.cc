#include "metrics/block_device.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <charconv>
#include <filesystem>

#include "metrics/text_file.h"

namespace metrics {
namespace {

constexpr int kFlushField = 16;  // from 1

std::optional<dev_t> DeviceNumberOf(const std::string& path) {
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(path, error);
  if (error) return std::nullopt;
  struct stat status;
  while (stat(place.c_str(), &status) != 0) {
    if (place == place.parent_path()) return std::nullopt;
    place = place.parent_path();
  }
  return status.st_dev;
}

std::string_view FirstLine(std::string_view text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::optional<uint64_t> FlushesOfStat(std::string_view stat) {
  for (int field = 1;; ++field) {
    const size_t start = stat.find_first_not_of(" \n");
    if (start == std::string_view::npos) return std::nullopt;
    stat.remove_prefix(start);
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(stat.data(), stat.data() + stat.size(), value);
    if (error != std::errc()) return std::nullopt;
    if (field == kFlushField) return value;
    stat.remove_prefix(static_cast<size_t>(end - stat.data()));
  }
}

std::optional<BlockDevice> BlockDevice::Of(const std::string& path) {
  const auto number = DeviceNumberOf(path);
  if (!number) return std::nullopt;
  std::string folder = fmt::format("/sys/dev/block/{}:{}", major(*number), minor(*number));
  // Flushes are counted for the whole disk alone.
  if (ReadTextFile(folder + "/partition")) folder += "/..";
  return InFolder(folder);
}

std::optional<BlockDevice> BlockDevice::InFolder(const std::string& folder) {
  BlockDevice device;
  device.stat_path_ = folder + "/stat";
  if (!device.Flushes()) return std::nullopt;
  const auto cache = ReadTextFile(folder + "/queue/write_cache");
  device.has_volatile_cache_ = !cache || FirstLine(*cache) != "write through";
  const auto fua = ReadTextFile(folder + "/queue/fua");
  device.writes_through_on_demand_ = fua && FirstLine(*fua) != "0";
  return device;
}

std::optional<uint64_t> BlockDevice::Flushes() const {
  const auto stat = ReadTextFile(stat_path_);
  return stat ? FlushesOfStat(*stat) : std::nullopt;
}

}  // namespace metrics
