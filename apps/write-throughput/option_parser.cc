#include "apps/write-throughput/option_parser.h"

#include <fmt/format.h>

#include <optional>

// Its parser by regular expressions depends on the locale, stops at a newline and overflows the
// stack on long values.
#define CXXOPTS_NO_REGEX
#include <cxxopts.hpp>

#include "apps/write-throughput/flags.h"
#include "apps/write-throughput/messages.h"
#include "apps/write-throughput/report/text.h"
#include "apps/write-throughput/secrets.h"

namespace throughput {
namespace {

constexpr size_t kHelpWidth = 100;

cxxopts::Options Parser() {
  cxxopts::Options parser("write-throughput");
  parser.set_width(kHelpWidth);
  for (const Flag& flag : Flags()) {
    const std::string names =
        flag.letter == 0 ? flag.name : fmt::format("{},{}", flag.letter, flag.name);
    if (flag.value_name.empty()) {
      parser.add_options(flag.group)(names, flag.help);
      continue;
    }
    auto value = cxxopts::value<std::string>();
    if (!flag.default_text.empty()) value = value->default_value(flag.default_text);
    parser.add_options(flag.group)(names, flag.help, value, flag.value_name);
  }
  return parser;
}

// The leftover word is often the value that the flag before swallowed the flag for:
// `--database --threads 4` leaves 4.
Expected<> RefuseSwallowedFlags(const GivenFlags& given) {
  for (const auto& [name, values] : given.values) {
    for (const std::string& value : values) {
      if (!value.starts_with("--")) continue;
      return tl::unexpected(Failure{FlagError(
          name, Shown(value), "its value is missing; values that begin with -- are not allowed")});
    }
  }
  return {};
}

Expected<> RefuseValuesOfSwitches(const std::vector<std::string>& words) {
  std::optional<std::string> refusal;
  ReplaceValues(words, [&refusal](const Flag& flag, const std::string& value) {
    if (flag.value_name.empty()) refusal = FlagError(flag.name, Shown(value), "it takes no value");
    return value;
  });
  if (refusal) return tl::unexpected(Failure{*refusal});
  return {};
}

tl::unexpected<Failure> NoSuchFlag(const std::string& flag) {
  return tl::unexpected(
      Failure{PrintableLine(flag) + ": there is no such flag; --help lists them"});
}

// In front of the parser, whose words for it have typographic quotes and change between versions.
Expected<> RefuseUnknownFlags(const std::vector<std::string>& words) {
  const Flag* owner = nullptr;  // of the next word
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (owner != nullptr) {
      owner = nullptr;
      continue;
    }
    if (word == "--") return {};
    if (word.starts_with("--")) {
      const std::string name = word.substr(2, word.find('=') - 2);
      if (FindFlag(name) == nullptr) return NoSuchFlag("--" + name);
    } else if (word.starts_with("-")) {
      const Flag* flag = nullptr;
      for (size_t at = 1; at < word.size() && (flag == nullptr || flag->value_name.empty()); ++at) {
        flag = FindFlag(word[at]);
        if (flag == nullptr) return NoSuchFlag(std::string("-") + word[at]);
      }
    }
    owner = WantsNextWord(word);
  }
  if (owner == nullptr) return {};
  return tl::unexpected(Failure{
      fmt::format("--{}: its value is missing; {} is allowed", owner->name, owner->value_name)});
}

Failure Refusal(const std::exception& error) {
  return Failure{PrintableLine(error.what()) + "; --help lists the flags"};
}

}  // namespace

const std::string* GivenFlags::Last(const std::string& name) const {
  const auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second.back();
}

Expected<GivenFlags> ParseWords(const std::vector<std::string>& words) {
  if (auto fine = RefuseUnknownFlags(words); !fine) return tl::unexpected(fine.error());
  if (auto fine = RefuseValuesOfSwitches(words); !fine) return tl::unexpected(fine.error());
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  GivenFlags given;
  try {
    cxxopts::Options parser = Parser();
    const auto result = parser.parse(static_cast<int>(arguments.size()), arguments.data());
    for (const auto& argument : result.arguments()) {
      const Flag* flag = FindFlag(argument.key());
      const bool is_switch = flag != nullptr && flag->value_name.empty();
      given.values[argument.key()].push_back(is_switch ? "" : argument.value());
    }
    given.leftover = result.unmatched();
  } catch (const cxxopts::exceptions::exception& error) {
    return tl::unexpected(Refusal(error));
  } catch (const std::bad_cast& error) {
    return tl::unexpected(Refusal(error));
  }
  if (auto fine = RefuseSwallowedFlags(given); !fine) return tl::unexpected(fine.error());
  return given;
}

std::string FlagsHelp() {
  std::vector<std::string> groups;
  for (const Flag& flag : Flags()) {
    if (groups.empty() || groups.back() != flag.group) groups.push_back(flag.group);
  }
  return Parser().help(groups);
}

}  // namespace throughput
