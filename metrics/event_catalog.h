// Names of events and what the kernel calls them: libpfm4, and the few of perf's that it lacks.
// Thread rule: as events.h.
#pragma once

#include <linux/perf_event.h>

#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace metrics {

inline constexpr std::string_view kNoSuchEvent = "event not found";  // libpfm4's words

// Type, config and the privilege levels that the name itself asks for ("EVENT:u=1"). More than one
// where cores of several kinds each have an event of that name. Error: libpfm4's text for why there
// is none, for example kNoSuchEvent.
tl::expected<std::vector<perf_event_attr>, std::string> EncodeEvent(const std::string& name);

// perf's first name of a generic event, from the kernel's numbers; empty for all others.
std::string GenericName(const perf_event_attr& encoding);

struct CatalogEntry {
  std::string name;  // as EncodeEvent takes it
  std::string pmu;   // "perf", or libpfm4's name of a PMU
  std::string description;
};

// Calls `visit` for every event of the PMUs that libpfm4 finds here, whether or not it opens: the
// generic ones first, in perf's spelling; native ones with each of their unit masks.
void ForEachEvent(const std::function<void(const CatalogEntry&)>& visit);

// Up to three names that differ least from `name` in the number of letters to change, none where
// all are far off.
std::vector<std::string> NearestEvents(std::string_view name);

}  // namespace metrics
