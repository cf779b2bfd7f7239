// The wording of errors that every part of the program reports in the same form.
// Thread rule: functions of their arguments.
#pragma once

#include <string>
#include <string_view>

namespace throughput {

// "--threads '0': whole numbers from 1 to 1024 are allowed", on one line whatever the value holds.
std::string FlagError(std::string_view flag, std::string_view value, std::string_view allowed);

// The text of an errno, independent of the locale: "No space left on device".
std::string ErrnoText(int error);

}  // namespace throughput
