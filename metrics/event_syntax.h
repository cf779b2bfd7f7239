// The grammar of perf's -e lists, without any knowledge of events. See events.h for it.
// Thread rule: functions of their arguments.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace metrics {

struct EventText {
  std::string name;             // up to the modifiers; may have libpfm4 attributes
  std::string modifiers;        // letters as written
  std::string group_modifiers;  // those of the group it is in
};

struct GroupText {
  std::vector<EventText> events;
};

// `lists` as the program got them, each with at least one item. Errors as in events.h.
tl::expected<std::vector<GroupText>, std::string> ParseEventLists(
    const std::vector<std::string>& lists);

// What modifier letters mean.
struct Modifiers {
  bool user = false, kernel = false, hypervisor = false;  // none of them: all
  bool guest = false, host = false;                       // none of them: both
  bool pinned = false, exclusive = false, weak = false;

  std::string Text() const;  // the first five, in the order "ukhGH"
};

// The first letter that stands twice, which perf refuses; not judged are an event's letters against
// those of its group.
std::optional<char> RepeatedModifier(std::string_view letters);

// Error: names the first letter that is no modifier, or is one for sampling only.
tl::expected<Modifiers, std::string> ParseModifiers(std::string_view letters);

}  // namespace metrics
