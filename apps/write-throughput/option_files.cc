#include "apps/write-throughput/option_files.h"

#include <filesystem>
#include <set>

#include "apps/write-throughput/database_path.h"
#include "apps/write-throughput/messages.h"

namespace throughput {
namespace {

namespace fs = std::filesystem;

// As far as it exists with links resolved, behind that word by word.
fs::path Canonical(const std::string& path) {
  std::error_code error;
  fs::path canonical = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) canonical = fs::absolute(path, error).lexically_normal();
  return canonical.has_filename() ? canonical : canonical.parent_path();
}

bool IsOrHolds(const fs::path& folder, const fs::path& path) {
  const auto [rest, unused] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return rest == folder.end();
}

Expected<> CheckOutput(std::string_view flag, const std::string& path, const Options& options,
                       const std::set<fs::path>& databases) {
  if (path.empty()) return {};
  const fs::path output = Canonical(path);
  if (!options.data_file.empty() && output == Canonical(options.data_file)) {
    return tl::unexpected(Failure{FlagError(flag, path, "the same file as --data-file")});
  }
  for (const fs::path& database : databases) {
    if (!IsOrHolds(database, output)) continue;
    return tl::unexpected(Failure{FlagError(flag, path, "the place of the database")});
  }
  return {};
}

}  // namespace

Expected<std::optional<DataFile>> ReadDataFile(const Options& options) {
  if (options.data_file.empty()) return std::optional<DataFile>();
  auto file = DataFile::Read(options.data_file);
  if (!file) {
    return tl::unexpected(Failure{FlagError("data-file", options.data_file, file.error().text)});
  }
  return std::optional<DataFile>(std::move(*file));
}

Expected<> CheckPaths(const Options& options, const std::vector<Cell>& cells) {
  std::set<std::pair<const TargetInfo*, std::string>> checked;
  std::set<fs::path> databases;
  for (const Cell& cell : cells) {
    if (!cell.engine->has_files) continue;
    for (int repeat = 1; repeat <= options.repeats; ++repeat) {
      const std::string path = DatabasePath(options, cell, repeat);
      if (!checked.emplace(cell.engine, path).second) continue;
      if (auto fine = CheckDatabasePath(*cell.engine, path); !fine) {
        return tl::unexpected(Failure{FlagError("database", path, fine.error().text)});
      }
      databases.insert(Canonical(path));
    }
  }
  if (auto fine = CheckOutput("output", options.report.output_path, options, databases); !fine) {
    return fine;
  }
  return CheckOutput("summary-output", options.report.summary_path, options, databases);
}

}  // namespace throughput
