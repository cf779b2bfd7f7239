#include "engine/runs/run_format.h"

#include <algorithm>
#include <charconv>

namespace burin {
namespace {

constexpr uint64_t kMagic = 0x4e55524e49525542;  // "BURINRUN"
constexpr uint32_t kVersion = 1;
constexpr std::string_view kPrefix = "run-";
constexpr std::string_view kUnfinished = ".new";
constexpr size_t kDigits = 12;

uint64_t FooterChecksum(const RunFooter& footer) {
  return Checksum(reinterpret_cast<const char*>(&footer) + sizeof footer.checksum,
                  sizeof footer - sizeof footer.checksum);
}

}  // namespace

void RunTotals::Add(const BlockHeader& block) {
  smallest_lsn = rows == 0 ? block.smallest_lsn : std::min(smallest_lsn, block.smallest_lsn);
  largest_lsn = std::max(largest_lsn, block.largest_lsn);
  ++blocks;
  rows += block.rows;
  erased_rows += block.erased_rows;
  live_bytes += uint64_t{block.rows - block.erased_rows} * sizeof(int64_t) + block.value_bytes;
}

void RunFooter::Seal() {
  magic = kMagic;
  version = kVersion;
  checksum = FooterChecksum(*this);
}

bool RunFooter::Valid() const {
  return magic == kMagic && version == kVersion && checksum == FooterChecksum(*this);
}

uint64_t RunSeed(const DatabaseId& database) {
  return database.words[0] ^ std::rotl(database.words[1], 32);
}

std::string RunPath(const std::string& folder, uint64_t run_id) {
  std::string digits = std::to_string(run_id);
  digits.insert(0, kDigits - std::min(kDigits, digits.size()), '0');
  return folder + "/" + std::string(kPrefix) + digits;
}

std::string UnfinishedRunPath(const std::string& folder, uint64_t run_id) {
  return RunPath(folder, run_id) + std::string(kUnfinished);
}

uint64_t RunIdOf(std::string_view name) {
  if (name.size() != kPrefix.size() + kDigits || !name.starts_with(kPrefix)) return 0;
  name.remove_prefix(kPrefix.size());
  uint64_t run_id = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), run_id);
  return error == std::errc() && end == name.data() + name.size() ? run_id : 0;
}

bool IsRunName(std::string_view name) {
  if (name.ends_with(kUnfinished)) name.remove_suffix(kUnfinished.size());
  return RunIdOf(name) != 0;
}

}  // namespace burin
