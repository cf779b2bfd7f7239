// The database's path before and after a run: only what write-throughput made is ever removed.
// Thread rule: called by the process that starts the cells, never while one runs.
#pragma once

#include <optional>
#include <string>

#include "apps/write-throughput/targets/target.h"

namespace throughput {

// Whether a run could make its database at `path`: nothing there or one of ours that nobody uses,
// in a folder that can be written. Changes nothing. The error is what is wrong, without the path.
Expected<> CheckDatabasePath(const TargetInfo& engine, const std::string& path);

// The same, and removes ours.
Expected<> ClearDatabasePath(const TargetInfo& engine, const std::string& path);

// After a run, whatever became of it: removes the database where it is ours. Nothing there is fine.
Expected<> RemoveDatabase(const TargetInfo& engine, const std::string& path);

}  // namespace throughput
