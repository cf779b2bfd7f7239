// What of the command line may be shown: a connection string of a database server holds a password
// in more ways than can be told apart with certainty (libpq itself quotes whole strings in its
// errors), so all of it is hidden.
// Thread rule: functions of their arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace throughput {

// The setting of an engine that holds a connection string.
inline constexpr const char* kConnectionSetting = "dsn";

// A word of the command line, or a part of one, as it may be shown: "dsn=(hidden)" for a
// connection string, or what looks like one in the wrong place; else `word` as it is.
std::string Shown(std::string_view word);
std::vector<std::string> Shown(const std::vector<std::string>& words);

// In the memory of the process's own arguments, which other users can read: each is replaced by
// what may be shown.
void HideArguments(int argc, char** argv);

}  // namespace throughput
