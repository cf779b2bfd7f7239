// Owns the order of the checks: the first line that is wrong is the one that is named.
#include "apps/results/result_files.h"

#include <fmt/format.h>

#include "apps/results/files.h"
#include "apps/results/record_checks.h"
#include "apps/results/text.h"

namespace throughput {

Result<void> ResultReader::Read(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) return tl::unexpected(text.error());
  const auto lines = SplitLines(*text);
  if (IsBlank(*text)) return Refused(Printable(path) + ": is empty: it holds no result");
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string where = fmt::format("{} line {}", Printable(path), i + 1);
    if (auto added = Add(std::string(lines[i]), where); !added) return added;
  }
  return {};
}

Result<void> ResultReader::Add(const std::string& line, const std::string& where) {
  ReadRun run;
  run.where = where;
  std::string error;
  if (!metrics::FromJson(line, run.record, error)) return Refused(where + ": " + error);
  const auto [earlier, is_new] = lines_.try_emplace(line, where);
  if (!is_new) return Refused(fmt::format("{}: the same run as {}", where, earlier->second));
  if (auto fits = CheckRecord(run.record); !fits) {
    return Refused(where + ": " + fits.error().message);
  }
  run.metrics = MetricsOf(run.record);
  runs_.push_back(std::move(run));
  return {};
}

Result<std::vector<ReadRun>> ReadResults(const std::vector<std::string>& paths) {
  ResultReader reader;
  for (const std::string& path : paths) {
    if (auto read = reader.Read(path); !read) return tl::unexpected(read.error());
  }
  return reader.Take();
}

}  // namespace throughput
