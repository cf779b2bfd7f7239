// Everything that calls libpfm4 is here.
#include "metrics/event_catalog.h"

#include <fmt/format.h>
#include <perfmon/pfmlib_perf_event.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

#include "metrics/events.h"

namespace metrics {
namespace {

constexpr std::string_view kGenericPmu = "perf";

// PFM_SUCCESS, or why libpfm4 cannot be used. It keeps its state to itself, for good.
int Initialized() {
  static const int result = pfm_initialize();
  return result;
}

// perf's software events that libpfm4 4.13 does not know.
constexpr std::array<std::pair<std::string_view, uint64_t>, 4> kFurtherSoftware = {{
    {"alignment-faults", PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation-faults", PERF_COUNT_SW_EMULATION_FAULTS},
    {"dummy", PERF_COUNT_SW_DUMMY},
    {"bpf-output", PERF_COUNT_SW_BPF_OUTPUT},
}};

// Indexed by the kernel's numbers, enum perf_hw_id and perf_sw_ids.
constexpr std::array<std::string_view, 10> kHardwareNames = {"cycles",
                                                             "instructions",
                                                             "cache-references",
                                                             "cache-misses",
                                                             "branches",
                                                             "branch-misses",
                                                             "bus-cycles",
                                                             "stalled-cycles-frontend",
                                                             "stalled-cycles-backend",
                                                             "ref-cycles"};
constexpr std::array<std::string_view, 12> kSoftwareNames = {
    "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
    "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
    "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches"};

// Enum perf_hw_cache_id, perf_hw_cache_op_id and perf_hw_cache_op_result_id.
constexpr std::array<std::string_view, 7> kCacheNames = {"L1-dcache", "L1-icache", "LLC", "dTLB",
                                                         "iTLB",      "branch",    "node"};
constexpr std::array<std::array<std::string_view, 2>, 3> kCacheAccesses = {{
    {"loads", "load-misses"},
    {"stores", "store-misses"},
    {"prefetches", "prefetch-misses"},
}};

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// perf writes "L1-dcache-loads" where libpfm4 has "L1-DCACHE-LOADS".
std::string PerfSpelling(std::string_view name) {
  const std::string lower = Lower(name);
  for (const std::string_view cache : kCacheNames) {
    const std::string prefix = Lower(cache) + "-";
    if (lower.starts_with(prefix)) return fmt::format("{}-{}", cache, lower.substr(prefix.size()));
  }
  return lower;
}

tl::expected<perf_event_attr, int> EncodeByLibpfm(const std::string& name) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  pfm_perf_encode_arg_t argument{};
  argument.size = sizeof argument;
  argument.attr = &attributes;
  const int result = pfm_get_os_event_encoding(name.c_str(), PFM_PLM0 | PFM_PLM3,
                                               PFM_OS_PERF_EVENT_EXT, &argument);
  if (result != PFM_SUCCESS) return tl::unexpected(result);
  return attributes;
}

struct Pmu {
  std::string name;
  bool of_cores = false;
  int first_event = -1;
};

std::vector<Pmu> PresentPmus() {
  std::vector<Pmu> pmus;
  if (Initialized() != PFM_SUCCESS) return pmus;
  for (int i = 0; i < PFM_PMU_MAX; ++i) {
    pfm_pmu_info_t information{};
    information.size = sizeof information;
    if (pfm_get_pmu_info(static_cast<pfm_pmu_t>(i), &information) != PFM_SUCCESS) continue;
    if (!information.is_present) continue;
    pmus.push_back(
        {information.name, information.type == PFM_PMU_TYPE_CORE, information.first_event});
  }
  return pmus;
}

bool IsGeneric(const perf_event_attr& encoding) {
  return encoding.type == PERF_TYPE_HARDWARE || encoding.type == PERF_TYPE_SOFTWARE ||
         encoding.type == PERF_TYPE_HW_CACHE;
}

// A native name on a CPU with several kinds of core: libpfm4 answers for the first kind only.
std::vector<perf_event_attr> EncodeForEachKindOfCore(const std::string& name) {
  std::vector<perf_event_attr> encodings;
  for (const Pmu& pmu : PresentPmus()) {
    if (!pmu.of_cores) continue;
    if (const auto encoding = EncodeByLibpfm(pmu.name + "::" + name))
      encodings.push_back(*encoding);
  }
  return encodings;
}

}  // namespace

tl::expected<std::vector<perf_event_attr>, std::string> EncodeEvent(const std::string& name) {
  const std::string lower = Lower(name);
  for (const auto& [further, config] : kFurtherSoftware) {
    if (lower != further) continue;
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = config;
    return std::vector<perf_event_attr>{attributes};
  }
  if (Initialized() != PFM_SUCCESS) {
    return tl::unexpected(fmt::format("libpfm4 did not start: {}", pfm_strerror(Initialized())));
  }
  const auto encoding = EncodeByLibpfm(name);
  if (!encoding) return tl::unexpected(std::string(pfm_strerror(encoding.error())));
  if (!IsGeneric(*encoding) && name.find("::") == std::string::npos) {
    auto encodings = EncodeForEachKindOfCore(name);
    if (encodings.size() > 1) return encodings;
  }
  return std::vector<perf_event_attr>{*encoding};
}

std::string GenericName(const perf_event_attr& encoding) {
  const uint64_t config = encoding.config & 0xffffffff;  // above stands the kind of core
  switch (encoding.type) {
    case PERF_TYPE_HARDWARE:
      if (config < kHardwareNames.size()) return std::string(kHardwareNames[config]);
      return {};
    case PERF_TYPE_SOFTWARE:
      if (config < kSoftwareNames.size()) return std::string(kSoftwareNames[config]);
      return {};
    case PERF_TYPE_HW_CACHE: {
      const uint64_t cache = config & 0xff;
      const uint64_t access = config >> 8 & 0xff;
      const uint64_t miss = config >> 16;
      if (cache >= kCacheNames.size() || access >= kCacheAccesses.size() || miss > 1) return {};
      return fmt::format("{}-{}", kCacheNames[cache], kCacheAccesses[access][miss]);
    }
    default:
      return {};
  }
}

namespace {

std::string FirstLine(const char* text) {
  const std::string_view all = text == nullptr ? "" : text;
  return std::string(all.substr(0, all.find('\n')));
}

void VisitNative(const Pmu& pmu, int event, const pfm_event_info_t& information,
                 const std::function<void(const CatalogEntry&)>& visit) {
  const std::string description = FirstLine(information.desc);
  // Some need a unit mask; alone they are no event.
  if (EncodeByLibpfm(information.name)) visit({information.name, pmu.name, description});
  for (int i = 0; i < information.nattrs; ++i) {
    pfm_event_attr_info_t attribute{};
    attribute.size = sizeof attribute;
    if (pfm_get_event_attr_info(event, i, PFM_OS_PERF_EVENT_EXT, &attribute) != PFM_SUCCESS ||
        attribute.type != PFM_ATTR_UMASK) {
      continue;
    }
    visit({fmt::format("{}:{}", information.name, attribute.name), pmu.name,
           fmt::format("{}: {}", description, FirstLine(attribute.desc))});
  }
}

}  // namespace

void ForEachEvent(const std::function<void(const CatalogEntry&)>& visit) {
  for (const auto& [name, config] : kFurtherSoftware) {
    visit({std::string(name), std::string(kGenericPmu), "software event of the kernel"});
  }
  for (const Pmu& pmu : PresentPmus()) {
    const bool generic = pmu.name == kGenericPmu;
    for (int i = pmu.first_event; i != -1; i = pfm_get_event_next(i)) {
      pfm_event_info_t information{};
      information.size = sizeof information;
      if (pfm_get_event_info(i, PFM_OS_PERF_EVENT_EXT, &information) != PFM_SUCCESS) continue;
      if (!generic) {
        VisitNative(pmu, i, information, visit);
      } else if (information.equiv != nullptr) {  // without: the kernel's constant, not perf's name
        visit({PerfSpelling(information.name), pmu.name, FirstLine(information.desc)});
      }
    }
  }
}

namespace {

// Letters to insert, delete or replace (Levenshtein).
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> NearestEvents(std::string_view name) {
  constexpr size_t kMost = 3;
  const std::string wanted = Lower(name.substr(0, 100));
  if (wanted.empty()) return {};
  // A name of which every letter is another one is no neighbour.
  const size_t far = std::min(std::max<size_t>(wanted.size() / 3, 2), wanted.size() - 1);
  std::vector<std::pair<size_t, std::string>> near;
  ForEachEvent([&](const CatalogEntry& entry) {
    const size_t distance = Distance(wanted, Lower(entry.name));
    if (distance <= far) near.emplace_back(distance, entry.name);
  });
  std::ranges::stable_sort(near, {}, &std::pair<size_t, std::string>::first);
  std::vector<std::string> names;
  for (auto& [distance, candidate] : near) {
    if (names.size() < kMost && std::ranges::find(names, candidate) == names.end()) {
      names.push_back(std::move(candidate));
    }
  }
  return names;
}

std::string LibpfmVersion() {
  const int version = pfm_get_version();
  return fmt::format("{}.{}", PFM_MAJ_VERSION(version), PFM_MIN_VERSION(version));
}

}  // namespace metrics
