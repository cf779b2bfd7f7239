// Two lines of a profile, and which of its events make up one of perf's.
#include "metrics/callgrind_profile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace metrics {
namespace {

// perf's event is the sum of up to two of callgrind's: conditional and indirect branches, and
// misses of instructions and of data in the last level.
struct Sum {
  const char* event;
  const char* first;
  const char* second;  // null: none
};
constexpr std::array<Sum, 8> kSums = {{
    {"instructions", "Ir", nullptr},
    {"branches", "Bc", "Bi"},
    {"branch-misses", "Bcm", "Bim"},
    {"L1-icache-load-misses", "I1mr", nullptr},
    {"L1-dcache-load-misses", "D1mr", nullptr},
    {"L1-dcache-store-misses", "D1mw", nullptr},
    {"LLC-load-misses", "ILmr", "DLmr"},
    {"LLC-store-misses", "DLmw", nullptr},
}};

// The words behind `key` where a line begins with it; empty without such a line.
std::vector<std::string_view> WordsBehind(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    std::vector<std::string_view> words;
    for (size_t at = line.find_first_not_of(' '); at != std::string_view::npos;
         at = line.find_first_not_of(' ', at)) {
      const size_t stop = std::min(line.find(' ', at), line.size());
      words.push_back(line.substr(at, stop - at));
      at = stop;
    }
    return words;
  }
  return {};
}

std::optional<uint64_t> Total(const CallgrindTotals& totals, const char* name) {
  const auto found = totals.find(name);
  if (found == totals.end()) return std::nullopt;
  return found->second;
}

}  // namespace

tl::expected<CallgrindTotals, std::string> ParseCallgrindProfile(std::string_view profile) {
  const auto names = WordsBehind(profile, "events:");
  const auto figures = WordsBehind(profile, "totals:");
  if (names.empty() || names.size() != figures.size()) {
    return tl::unexpected(std::string("callgrind's profile has no sums of its events"));
  }
  CallgrindTotals totals;
  for (size_t i = 0; i < names.size(); ++i) {
    const char* end = figures[i].data() + figures[i].size();
    const auto parsed = std::from_chars(figures[i].data(), end, totals[std::string(names[i])]);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
      return tl::unexpected("callgrind's profile has no number for " + std::string(names[i]));
    }
  }
  return totals;
}

std::vector<CounterReading> CallgrindReadings(const CallgrindTotals& totals) {
  std::vector<CounterReading> readings;
  for (const Sum& sum : kSums) {
    const auto first = Total(totals, sum.first);
    const auto second =
        sum.second == nullptr ? std::optional<uint64_t>(0) : Total(totals, sum.second);
    if (!first || !second) continue;
    CounterReading reading;
    reading.event = reading.generic = sum.event;
    reading.hardware = true;
    reading.value = static_cast<double>(*first + *second);
    reading.source = "callgrind";
    readings.push_back(std::move(reading));
  }
  return readings;
}

}  // namespace metrics
