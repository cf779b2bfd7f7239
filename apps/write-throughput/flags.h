// The flags of write-throughput as a table, and the words of a command line read by it. What the
// values mean is options.h's; here is only which flags there are and which word is whose value.
// Thread rule: functions of their arguments and of constants.
// Invariant: every flag works; what does not work yet is not in the table.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace throughput {

struct Flag {
  char letter = 0;           // 0: none
  std::string name;          // "threads"
  std::string value_name;    // "N[,N...]"; empty: a switch
  std::string default_text;  // as --help shows it; empty: nothing to show
  std::string group;
  std::string help;
};

const std::vector<Flag>& Flags();  // in the order of --help
const Flag* FindFlag(std::string_view name);
const Flag* FindFlag(char letter);

// The flag whose value is the next word, if `word` is such a flag without a value of its own:
// "--threads", "-t", or a group of letters whose last one wants it, "-qt".
const Flag* WantsNextWord(const std::string& word);

// Rewrites -t4 as -t 4, and --list-events=WORD as --list-events WORD: forms that every user tries
// and not every parser knows. Other words stay as they are.
std::vector<std::string> NormalizeWords(const std::vector<std::string>& words);

// `words` (normalized) with each value of a flag replaced by what `replace` gives for it.
std::vector<std::string> ReplaceValues(
    const std::vector<std::string>& words,
    const std::function<std::string(const Flag& flag, const std::string& value)>& replace);

}  // namespace throughput
