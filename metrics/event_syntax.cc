// A list is walked once, from left to right.
#include "metrics/event_syntax.h"

#include <fmt/format.h>

namespace metrics {
namespace {

constexpr std::string_view kCounting = "ukhGHDeW";
constexpr std::string_view kSampling = "pPSIbR";

bool AllModifiers(std::string_view letters) {
  return letters.find_first_not_of(std::string(kCounting) + std::string(kSampling)) ==
         std::string_view::npos;
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Where the modifiers' ":" stands in an event's text; npos without modifiers. "pmu::event" has
// none, and neither has "EVENT:UMASK", whose last part is no run of modifier letters.
size_t ModifierColon(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || text[colon - 1] == ':') {
    return std::string_view::npos;
  }
  return AllModifiers(Trimmed(text.substr(colon + 1))) ? colon : std::string_view::npos;
}

// "u" in "INST_RETIRED:u": what the name has behind its last colon, where that is levels alone.
std::string_view LevelsBehind(std::string_view name) {
  const size_t colon = name.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == name.size()) return {};
  const std::string_view last = name.substr(colon + 1);
  return last.find_first_not_of("ukh") == std::string_view::npos ? last : std::string_view();
}

class ListParser {
 public:
  explicit ListParser(std::string_view list) : list_(Trimmed(list)), rest_(list_) {}

  tl::expected<std::vector<GroupText>, std::string> Parse() {
    std::vector<GroupText> groups;
    if (list_.empty()) return tl::unexpected(std::string("the list of events is empty"));
    do {
      auto group = Comes('{') ? ParseGroup() : ParseSingle();
      if (!group) return tl::unexpected(group.error());
      groups.push_back(*std::move(group));
    } while (Accept(','));
    if (!rest_.empty()) {
      return tl::unexpected(fmt::format("',' expected before '{}' in '{}'", rest_, list_));
    }
    return groups;
  }

 private:
  // As with perf, blanks between the parts of a list mean nothing.
  bool Comes(char wanted) {
    rest_ = Trimmed(rest_);
    return rest_.starts_with(wanted);
  }

  bool Accept(char wanted) {
    if (!Comes(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view TakeUntil(std::string_view ends) {
    const std::string_view taken = rest_.substr(0, rest_.find_first_of(ends));
    rest_.remove_prefix(taken.size());
    return Trimmed(taken);
  }

  tl::expected<GroupText, std::string> ParseSingle() {
    auto event = ParseEvent();
    if (!event) return tl::unexpected(event.error());
    if (Comes('}')) {
      return tl::unexpected(fmt::format("'}}' without '{{' in '{}'", list_));
    }
    return GroupText{{*std::move(event)}};
  }

  tl::expected<GroupText, std::string> ParseGroup() {
    Accept('{');
    GroupText group;
    if (Comes('}')) return tl::unexpected(fmt::format("empty group in '{}'", list_));
    if (rest_.empty()) return Unclosed();
    do {
      if (Comes('{')) {
        return tl::unexpected(fmt::format("a group inside a group in '{}'", list_));
      }
      auto event = ParseEvent();
      if (!event) return tl::unexpected(event.error());
      group.events.push_back(*std::move(event));
    } while (Accept(','));
    if (!Accept('}')) return Unclosed();
    if (!Accept(':')) return group;

    const std::string_view letters = TakeUntil(",{}");
    if (letters.empty())
      return tl::unexpected(fmt::format("no modifier behind '}}:' in '{}'", list_));
    for (EventText& event : group.events) event.group_modifiers = letters;
    return group;
  }

  tl::unexpected<std::string> Unclosed() const {
    return tl::make_unexpected(fmt::format("'{{' without '}}' in '{}'", list_));
  }

  tl::expected<EventText, std::string> ParseEvent() {
    const std::string_view text = TakeUntil(",{}");
    if (text.empty()) return tl::unexpected(fmt::format("an event is missing in '{}'", list_));
    if (text.find('/') != std::string_view::npos) {
      return tl::unexpected(fmt::format(
          "'{}' has perf's pmu/.../ form: use the event's name or its raw code (r1a8)", text));
    }
    if (text.starts_with(':')) {
      return tl::unexpected(fmt::format("an event is missing before '{}' in '{}'", text, list_));
    }
    const size_t colon = ModifierColon(text);
    if (colon == std::string_view::npos) return EventText{std::string(text), {}, {}};
    const std::string_view name = Trimmed(text.substr(0, colon));
    const std::string_view modifiers = Trimmed(text.substr(colon + 1));
    if (modifiers.empty()) {
      return tl::unexpected(fmt::format("no modifier behind ':' in '{}'", text));
    }
    if (const std::string_view before = LevelsBehind(name); !before.empty()) {
      return tl::unexpected(
          fmt::format("'{}': modifiers stand behind one colon, ':{}{}'", text, before, modifiers));
    }
    return EventText{std::string(name), std::string(modifiers), {}};
  }

  const std::string_view list_;
  std::string_view rest_;
};

}  // namespace

tl::expected<std::vector<GroupText>, std::string> ParseEventLists(
    const std::vector<std::string>& lists) {
  std::vector<GroupText> groups;
  for (const std::string& list : lists) {
    auto parsed = ListParser(list).Parse();
    if (!parsed) return tl::unexpected(parsed.error());
    for (GroupText& group : *parsed) groups.push_back(std::move(group));
  }
  if (groups.empty()) return tl::unexpected(std::string("the list of events is empty"));
  return groups;
}

std::string Modifiers::Text() const {
  std::string text;
  if (user) text += 'u';
  if (kernel) text += 'k';
  if (hypervisor) text += 'h';
  if (guest) text += 'G';
  if (host) text += 'H';
  return text;
}

std::optional<char> RepeatedModifier(std::string_view letters) {
  for (size_t i = 0; i < letters.size(); ++i) {
    if (letters.find(letters[i], i + 1) != std::string_view::npos) return letters[i];
  }
  return std::nullopt;
}

tl::expected<Modifiers, std::string> ParseModifiers(std::string_view letters) {
  Modifiers modifiers;
  for (const char letter : letters) {
    switch (letter) {
      case 'u':
        modifiers.user = true;
        break;
      case 'k':
        modifiers.kernel = true;
        break;
      case 'h':
        modifiers.hypervisor = true;
        break;
      case 'G':
        modifiers.guest = true;
        break;
      case 'H':
        modifiers.host = true;
        break;
      case 'D':
        modifiers.pinned = true;
        break;
      case 'e':
        modifiers.exclusive = true;
        break;
      case 'W':
        modifiers.weak = true;
        break;
      default:
        return tl::unexpected(fmt::format("{} '{}'; allowed: u k h G H D e W",
                                          kSampling.find(letter) == std::string_view::npos
                                              ? "unknown modifier"
                                              : "a modifier that is for sampling only:",
                                          letter));
    }
  }
  return modifiers;
}

}  // namespace metrics
