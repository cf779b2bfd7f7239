// The checks of the options that need the file system: paths, marks, the data file. They change
// nothing, so that a refusal leaves everything as it was.
// Thread rule: before the program has threads.
#pragma once

#include <optional>

#include "apps/write-throughput/cells.h"
#include "apps/write-throughput/data_file.h"
#include "apps/write-throughput/options.h"

namespace throughput {

// The data file's lines, where there is one. Errors are lines as options.h says.
Expected<std::optional<DataFile>> ReadDataFile(const Options& options);

// Every path that a run will use: the databases of all cells, and that the outputs are none of the
// files that are read or removed.
Expected<> CheckPaths(const Options& options, const std::vector<Cell>& cells);

}  // namespace throughput
