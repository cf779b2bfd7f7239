// What the words of a side are: a command, or result files.
// Thread rule: functions of their arguments and of the file system.
#pragma once

#include <string>
#include <vector>

#include "apps/results/failure.h"

namespace throughput {

enum class SideKind { kCommand, kFiles };

// Files where the first word names a file that cannot be executed; else a command. `name`:
// "BEFORE", for messages. Refused: neither such a file nor a program, here or in PATH.
Result<SideKind> KindOf(const std::vector<std::string>& words, const std::string& name);

}  // namespace throughput
