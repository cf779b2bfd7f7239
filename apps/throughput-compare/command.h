// What the words of a side are: a command, or result files.
// Thread rule: functions of their arguments and of the file system.
#pragma once

#include <string>
#include <vector>

#include "apps/results/failure.h"

namespace throughput {

enum class SideKind { kCommand, kFiles };

// Files where the first word names a file that cannot be executed or begins as a JSON row does;
// else a command. `name`: "BEFORE", for messages. Refused: neither such a file nor a program, here
// or in PATH; the line says why (no such file, a directory, no permission).
Result<SideKind> KindOf(const std::vector<std::string>& words, const std::string& name);

// Refused: a flag of write-throughput that leaves no record to read, or whose output would go
// nowhere, as throughput-compare gives --format json and -o itself: --format, --header, --output,
// --resume, --summary, --summary-output, and those that print and leave. Looked at are the words
// behind the first that names a write-throughput, else all behind the first.
Result<void> CheckFlags(const std::vector<std::string>& words, const std::string& name);

}  // namespace throughput
