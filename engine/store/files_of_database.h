// The files that make up a database, seen from outside: whose it is, who has it open, and its end.
//
// Thread rule: functions without state.
#pragma once

#include <string>
#include <string_view>

#include "engine/engine.h"
#include "engine/io/file_system.h"

namespace burin {

inline constexpr std::string_view kLockName = "LOCK";

// Whether `name` (without its folder) is one that the engine gives to a file of its own.
bool IsOurFile(std::string_view name);

Result<DatabaseInfo> InspectDatabase(FileSystem& files, const std::string& folder);

// In an order that leaves the manifest, and so the mark of the creator, to the last.
Status RemoveDatabase(FileSystem& files, const std::string& folder);

}  // namespace burin
