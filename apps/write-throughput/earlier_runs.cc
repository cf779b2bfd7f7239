// Owns the judgement on each line. Invariant: the file is not changed by reading it.
#include "apps/write-throughput/earlier_runs.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "apps/write-throughput/build_info.h"
#include "apps/write-throughput/flags.h"
#include "apps/write-throughput/messages.h"
#include "apps/write-throughput/option_parser.h"
#include "apps/write-throughput/report/output_stream.h"
#include "apps/write-throughput/report/rows.h"

namespace throughput {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeader = "system,threads,batch_size,compute,throughput";

tl::unexpected<Failure> Refused(const std::string& path, std::string_view reason) {
  return tl::unexpected(Failure{
      FlagError("output", path,
                fmt::format("{}; with --resume the file of the same sweep is allowed", reason))});
}

// The flags that make a cell what it is: not where its row goes, nor which runs there are.
std::map<std::string, std::vector<std::string>> LoadFlags(const std::vector<std::string>& words) {
  auto given = ParseWords(NormalizeWords(words));
  if (!given) return {};
  std::erase_if(given->values, [](const auto& value) {
    const Flag* flag = FindFlag(value.first);
    return flag == nullptr || flag->group == "Output" || flag->name == "repeat" ||
           flag->name == "order";
  });
  return given->values;
}

// All but the rate: "Burin,1,100,0,".
std::string KeyOf(const std::string& row) { return row.substr(0, row.rfind(',') + 1); }

std::string KeyOf(const Cell& cell) {
  metrics::ResultRecord record;
  record.system = cell.engine->system;
  record.threads = cell.threads;
  record.batch_size = cell.batch_size;
  record.compute_us = cell.compute_us;
  return KeyOf(Rows(RowFormat::kCsv, false).Text(record));
}

// Two digits behind a point are the end of a classic row: one that was cut has fewer.
bool EndsLikeARow(const std::string& line) {
  const size_t comma = line.rfind(',');
  const std::string rate = comma == std::string::npos ? "" : line.substr(comma + 1);
  return rate.size() > 3 && rate[rate.size() - 3] == '.' &&
         rate.find_first_not_of("0123456789.") == std::string::npos;
}

class EarlierRunsReader {
 public:
  EarlierRunsReader(const Options& options, const std::vector<Cell>& cells)
      : options_(options), cells_(cells) {}

  Expected<EarlierRuns> Read(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      const bool ended = !lines.eof();
      if (line.ends_with('\r')) line.pop_back();
      const auto wrong = options_.report.format == RowFormat::kJson ? AddJson(line, ended)
                                                                    : AddClassic(line, ended);
      if (wrong) {
        return Refused(options_.report.output_path, fmt::format("line {} {}", number, *wrong));
      }
    }
    if (has_header_ || (options_.report.header && !runs_.rows.empty())) {
      runs_.rows.insert(0, std::string(kHeader) + "\n");
    }
    return std::move(runs_);
  }

 private:
  using Wrong = std::optional<std::string>;  // what is wrong with a line

  Wrong AddClassic(const std::string& line, bool ended) {
    if (line == kHeader) {
      has_header_ = options_.report.header;
      return std::nullopt;
    }
    if (!EndsLikeARow(line)) {
      return ended ? Wrong("is no whole row of --format csv") : std::nullopt;
    }
    const auto cell = std::find_if(cells_.begin(), cells_.end(),
                                   [&](const Cell& each) { return KeyOf(each) == KeyOf(line); });
    if (cell == cells_.end()) return "is of other flags";
    runs_.done.insert({cell->number, ++rows_of_cell_[cell->number]});
    runs_.rows += line + "\n";
    return std::nullopt;
  }

  Wrong AddJson(const std::string& line, bool ended) {
    metrics::ResultRecord record;
    std::string error;
    if (!metrics::FromJson(line, record, error)) {
      return ended ? Wrong("is no whole row of --format json: " + error) : std::nullopt;
    }
    if (record.environment.commit != BuildCommit()) {
      return fmt::format("is of another version, {}", record.environment.commit);
    }
    if (record.cell < 1 || record.cell > std::ssize(cells_) || record.repeat < 1 ||
        LoadFlags(record.environment.arguments) !=
            LoadFlags(CellArguments(options_, cells_[record.cell - 1]))) {
      return "is of other flags";
    }
    const bool is_new =
        !record.interrupted && runs_.done.insert({record.cell, record.repeat}).second;
    if (!is_new) return std::nullopt;
    runs_.rows += line + "\n";
    runs_.records.push_back(std::move(record));
    return std::nullopt;
  }

  const Options& options_;
  const std::vector<Cell>& cells_;
  std::map<int, int> rows_of_cell_;
  bool has_header_ = false;
  EarlierRuns runs_;
};

Expected<> Fail(const std::string& path, int error) {
  return tl::unexpected(Failure{FlagError("output", path, ErrnoText(error))});
}

}  // namespace

Expected<EarlierRuns> ReadEarlierRuns(const Options& options, const std::vector<Cell>& cells) {
  const std::string& path = options.report.output_path;
  std::error_code error;
  if (!options.resume || !fs::exists(path, error)) return EarlierRuns();
  if (!fs::is_regular_file(path, error)) return Refused(path, "is no ordinary file");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (!file.is_open() || file.bad()) return Refused(path, "cannot be read");
  return EarlierRunsReader(options, cells).Read(text.str());
}

Expected<> KeepRows(const std::string& path, const std::string& rows) {
  std::error_code error;
  const std::string target = fs::canonical(path, error).string();
  if (error) return Fail(path, error.value());
  const std::string partial = target + ".partial";
  OutputStream stream(STDERR_FILENO, partial);
  Written written = stream.OpenFile(partial);
  if (written) written = stream.Empty();
  if (written) written = stream.Write(rows);
  if (written) written = stream.Close();
  if (written && ::rename(partial.c_str(), target.c_str()) == 0) return {};
  const int reason = errno;
  fs::remove(partial, error);
  return written ? Fail(path, reason)
                 : tl::unexpected(Failure{FlagError("output", path, written.error())});
}

}  // namespace throughput
