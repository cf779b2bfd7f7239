// From the words of a list to events that can be opened.
#include "metrics/events.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <string>
#include <utility>

#include "metrics/event_catalog.h"
#include "metrics/event_syntax.h"
#include "metrics/perf_system.h"

namespace metrics {
namespace {

// The privilege levels of an event, from its modifiers or else from what its name asked for.
void SetLevels(perf_event_attr& encoding, const Modifiers& modifiers) {
  if (modifiers.user || modifiers.kernel || modifiers.hypervisor) {
    encoding.exclude_user = !modifiers.user;
    encoding.exclude_kernel = !modifiers.kernel;
    encoding.exclude_hv = !modifiers.hypervisor;
  } else {
    encoding.exclude_hv = encoding.exclude_user || encoding.exclude_kernel;
  }
  encoding.exclude_guest = modifiers.host && !modifiers.guest;
  encoding.exclude_host = modifiers.guest && !modifiers.host;
}

// Of what libpfm4 says, the rest is for sampling or decided where the event is opened.
perf_event_attr Essentials(const perf_event_attr& encoding) {
  perf_event_attr essentials{};
  essentials.size = sizeof essentials;
  essentials.type = encoding.type;
  essentials.config = encoding.config;
  essentials.config1 = encoding.config1;
  essentials.config2 = encoding.config2;
  essentials.exclude_user = encoding.exclude_user;
  essentials.exclude_kernel = encoding.exclude_kernel;
  return essentials;
}

Event MakeEvent(const std::string& name, Modifiers modifiers,
                const std::vector<perf_event_attr>& encodings) {
  Event event;
  event.name = name;
  event.generic = GenericName(encodings.front());
  if (event.generic.empty()) event.generic = name;
  event.hardware = encodings.front().type != PERF_TYPE_SOFTWARE;
  for (const perf_event_attr& encoding : encodings) {
    event.encodings.push_back(Essentials(encoding));
    SetLevels(event.encodings.back(), modifiers);
  }
  const perf_event_attr& first = event.encodings.front();
  if (first.exclude_user || first.exclude_kernel) {
    modifiers.user = !first.exclude_user;
    modifiers.kernel = !first.exclude_kernel;
    modifiers.hypervisor = !first.exclude_hv;
  }
  event.modifiers = modifiers.Text();
  return event;
}

struct Refused {
  std::string_view attribute;
  bool takes_number;
  std::string_view why;
};

constexpr std::string_view kForSampling = "is for sampling, and here events are counted";

// What libpfm4 offers for perf_event_open beyond u, k and h; Essentials would drop it in silence.
constexpr std::array<Refused, 9> kRefused = {{
    {"period", true, kForSampling},
    {"freq", true, kForSampling},
    {"precise", true, kForSampling},
    {"hw_smpl", false, kForSampling},
    {"cpu", true, "counts a CPU, and here the threads of a process are counted"},
    {"excl", false, "is the modifier e here"},
    {"pinned", false, "is the modifier D here"},
    {"mg", false, "is the modifier G here"},
    {"mh", false, "is the modifier H here"},
}};

// Of an attribute in `name` that is not for counting; empty: it has none.
std::string WhyRefused(const std::string& name) {
  const size_t pmu = name.find("::");
  size_t colon = name.find(':', pmu == std::string::npos ? 0 : pmu + 2);
  while (colon != std::string::npos) {
    const size_t next = name.find(':', colon + 1);
    const std::string part = name.substr(colon + 1, next - colon - 1);
    const size_t equals = part.find('=');
    for (const Refused& refused : kRefused) {
      const bool given = equals != std::string::npos || !refused.takes_number;
      if (!given || part.substr(0, equals) != refused.attribute) continue;
      return fmt::format("'{}': the attribute '{}' {}", name, refused.attribute, refused.why);
    }
    colon = next;
  }
  return {};
}

std::string WhyUnknown(const std::string& name, const std::string& reason) {
  if (name == "r") return "'r' is no event: a raw code is r and hexadecimal digits behind it";
  const size_t pmu = name.find("::");
  const size_t attribute = name.find(':', pmu == std::string::npos ? 0 : pmu + 2);
  if (attribute != std::string::npos && EncodeEvent(name.substr(0, attribute))) {
    return fmt::format(
        "'{}' has no modifier or attribute '{}': allowed are u k h G H D e W and what libpfm4 "
        "knows of this event",
        name.substr(0, attribute), name.substr(attribute + 1));
  }
  const std::vector<std::string> nearest = NearestEvents(name);
  const std::string detail = reason == kNoSuchEvent ? "" : fmt::format(" ({})", reason);
  return fmt::format("unknown event '{}'{}{}{}", name, detail,
                     nearest.empty() ? "" : ", nearest: ", fmt::join(nearest, ", "));
}

struct Resolved {
  Event event;
  Modifiers modifiers;
};

tl::expected<Resolved, std::string> Resolve(EventText text) {
  if (const std::string why = WhyRefused(text.name); !why.empty()) return tl::unexpected(why);
  auto encodings = EncodeEvent(text.name);
  if (!encodings && !text.modifiers.empty()) {
    // What looks like modifiers can be a unit mask: "L2_LINES:S".
    const std::string whole = text.name + ":" + text.modifiers;
    if (auto masked = EncodeEvent(whole)) {
      encodings = std::move(masked);
      text = {whole, {}, text.group_modifiers};
    }
  }
  if (!encodings) return tl::unexpected(WhyUnknown(text.name, encodings.error()));
  const auto modifiers = ParseModifiers(text.modifiers + text.group_modifiers);
  if (!modifiers) return tl::unexpected(fmt::format("'{}': {}", text.name, modifiers.error()));
  for (const std::string& letters : {text.modifiers, text.group_modifiers}) {
    const auto repeated = RepeatedModifier(letters);
    if (!repeated) continue;
    return tl::unexpected(
        fmt::format("'{}': the modifier '{}' twice in ':{}'", text.name, *repeated, letters));
  }
  return Resolved{MakeEvent(text.name, *modifiers, *encodings), *modifiers};
}

}  // namespace

tl::expected<std::vector<EventGroup>, std::string> ParseEvents(std::span<const std::string> lists) {
  const auto texts = ParseEventLists({lists.begin(), lists.end()});
  if (!texts) return tl::unexpected(texts.error());
  std::vector<EventGroup> groups;
  for (const GroupText& text : *texts) {
    EventGroup& group = groups.emplace_back();
    for (const EventText& event_text : text.events) {
      auto resolved = Resolve(event_text);
      if (!resolved) return tl::unexpected(resolved.error());
      resolved->event.asked_by_name = true;
      group.weak = group.weak || resolved->modifiers.weak;
      group.pinned = group.pinned || resolved->modifiers.pinned;
      group.exclusive = group.exclusive || resolved->modifiers.exclusive;
      group.events.push_back(std::move(resolved->event));
    }
  }
  return groups;
}

namespace {

EventGroup DefaultGroup(const std::vector<std::string>& names, bool hardware) {
  EventGroup group;
  group.weak = true;
  for (const std::string& name : names) {
    const auto encodings = EncodeEvent("perf::" + name);
    if (encodings) {
      group.events.push_back(MakeEvent(name, {}, *encodings));
    } else {
      Event& event = group.events.emplace_back();
      event.name = event.generic = name;
      event.hardware = hardware;
      event.cause = encodings.error();
    }
  }
  return group;
}

}  // namespace

std::vector<EventGroup> DefaultEvents() {
  std::vector<EventGroup> groups;
  for (const char* name : {"task-clock", "context-switches", "cpu-migrations", "page-faults"}) {
    groups.push_back(DefaultGroup({name}, false));
  }
  groups.push_back(DefaultGroup({"instructions", "cycles"}, true));
  groups.push_back(DefaultGroup({"stalled-cycles-frontend"}, true));
  groups.push_back(DefaultGroup({"stalled-cycles-backend"}, true));
  groups.push_back(DefaultGroup({"branches", "branch-misses"}, true));
  return groups;
}

namespace {

bool Opens(const perf_event_attr& encoding, PerfSystem& system) {
  perf_event_attr attributes = encoding;
  attributes.disabled = 1;
  int descriptor = system.Open(attributes, 0, -1);
  if (descriptor == -EACCES || descriptor == -EPERM) {
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    descriptor = system.Open(attributes, 0, -1);
  }
  if (descriptor >= 0) system.Close(descriptor);
  return descriptor >= 0;
}

bool ContainsWord(const std::string& text, std::string_view word) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return !std::ranges::search(text, word, same).empty() || word.empty();
}

}  // namespace

std::vector<ListedEvent> ListEvents(std::string_view word, PerfSystem& system) {
  std::vector<ListedEvent> listed;
  ForEachEvent([&](const CatalogEntry& entry) {
    if (!ContainsWord(entry.name, word) && !ContainsWord(entry.description, word)) return;
    const auto encodings = EncodeEvent(entry.name);
    if (encodings && Opens(Essentials(encodings->front()), system)) {
      listed.push_back({entry.name, entry.pmu, entry.description});
    }
  });
  return listed;
}

}  // namespace metrics
