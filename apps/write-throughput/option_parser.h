// The words of a command line taken apart by cxxopts: which flags were given, each with its raw
// values, and what --help says of them.
// Thread rule: functions of their arguments.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "apps/write-throughput/targets/target.h"

namespace throughput {

struct GivenFlags {
  std::map<std::string, std::vector<std::string>> values;  // by long name, in order; switches: ""
  std::vector<std::string> leftover;                       // words that belong to no flag

  bool Has(const std::string& name) const { return values.contains(name); }
  // Of a flag given more than once the last counts.
  const std::string* Last(const std::string& name) const;
};

// `words`: normalized, program name first. Errors are one line.
Expected<GivenFlags> ParseWords(const std::vector<std::string>& words);

// The table of flags in groups, with defaults.
std::string FlagsHelp();

}  // namespace throughput
