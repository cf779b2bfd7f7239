// Owns which text goes to which stream and in what order. See report.h.
#include "apps/write-throughput/report/report.h"

#include <unistd.h>

#include <utility>

#include "apps/write-throughput/report/details.h"
#include "apps/write-throughput/report/interval_lines.h"
#include "apps/write-throughput/report/machine_forms.h"
#include "apps/write-throughput/report/perf_block.h"
#include "apps/write-throughput/report/text.h"

namespace throughput {
namespace {

constexpr const char* kWritableFile = "a file that can be written, in a folder that exists,";

tl::unexpected<std::string> Refused(const std::string& flag, const std::string& path,
                                    const std::string& reason, const std::string& allowed) {
  return tl::make_unexpected(flag + " '" + PrintableLine(path) + "': " + reason + "; " + allowed +
                             " is allowed");
}

}  // namespace

Report::Report(ReportOptions options)
    : options_(std::move(options)),
      rows_(options_.format, options_.header && !options_.append),
      output_(STDOUT_FILENO, "stdout"),
      summary_(STDERR_FILENO, "stderr") {}

Written Report::Open() {
  const std::string& rows = options_.output_path;
  const std::string& summary = options_.summary_path;
  if (!rows.empty()) {
    if (const Written opened = output_.OpenFile(rows); !opened) {
      return Refused("--output", rows, opened.error(), kWritableFile);
    }
  }
  if (!summary.empty()) {
    const Written opened = summary_.OpenFile(summary);
    const bool same = opened && !rows.empty() && summary_.SameFileAs(output_);
    if (!opened || same) {
      summary_.Abandon();
      output_.Abandon();
      const std::string flag = "--summary-output";
      return same ? Refused(flag, summary, "is the file of --output", "a file of its own")
                  : Refused(flag, summary, opened.error(), kWritableFile);
    }
  }
  if (!rows.empty()) options_.append ? output_.GoToEnd() : output_.Empty();
  if (!summary.empty()) summary_.Empty();
  return FirstError();
}

Written Report::Run(const metrics::ResultRecord& run) { return output_.Write(rows_.Text(run)); }

Written Report::Cell(std::span<const metrics::ResultRecord> runs,
                     const std::vector<std::string>& arguments) {
  if (runs.empty() || options_.quiet) return summary_.Error();
  return summary_.Write(CellText(runs, arguments));
}

std::string Report::CellText(std::span<const metrics::ResultRecord> runs,
                             const std::vector<std::string>& arguments) const {
  switch (options_.summary) {
    case SummaryForm::kPerf:
      return IntervalLines(runs, options_.big_numbers) +
             PerfBlock(runs, arguments, options_.big_numbers) +
             Details(runs, options_.repeats, options_.big_numbers);
    case SummaryForm::kCsv:
      return PerfCsv(runs, arguments);
    case SummaryForm::kJson:
      return PerfJson(runs, arguments);
    case SummaryForm::kNone:
      return "";
  }
  return "";
}

Written Report::Finish() {
  const Written rows = output_.Close();
  const Written summary = summary_.Close();
  return rows ? summary : rows;
}

Written Report::FirstError() const {
  const Written rows = output_.Error();
  return rows ? summary_.Error() : rows;
}

}  // namespace throughput
