// Turns result records into text: one row for each run, one summary block for each cell. It owns
// the two streams that are written to and measures nothing.
//
//   Report report(options);
//   if (auto opened = report.Open(); !opened) return Refuse(opened.error());
//   for each cell: for each of its runs: report.Run(record);  then  report.Cell(runs, arguments);
//   if (auto finished = report.Finish(); !finished) { say finished.error(); exit code 1; }
//
// Thread rule: one thread, that of the process which started the cells.
// Invariants:
// * Nothing is kept in a buffer between two calls, so a fork can double nothing and a kill loses
//   nothing that was printed. Every write is checked.
// * After the first failed write a stream takes no more; each later call, Finish among them,
//   answers with that first failure again.
// * Rows hold data only, the summary goes to its own stream. No output depends on the locale.
// The program must ignore SIGPIPE and SIGXFSZ: then a closed pipe and a file-size limit come back
// as errors here instead of ending the program with its database left behind.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "apps/write-throughput/report/output_stream.h"
#include "apps/write-throughput/report/rows.h"
#include "metrics/result_record.h"

namespace throughput {

enum class SummaryForm {
  kPerf,  // as perf stat prints, and details below it
  kCsv,   // as perf stat -x, prints: the counters alone
  kJson,  // as perf stat -j prints: likewise
  kNone,
};

struct ReportOptions {
  RowFormat format = RowFormat::kCsv;
  bool header = false;      // above classic rows; csv-wide always has one, JSON never
  std::string output_path;  // of the rows; empty: stdout
  bool append = false;      // the file has rows, and the header where one is wanted: go on behind
  SummaryForm summary = SummaryForm::kPerf;
  std::string summary_path;  // empty: stderr
  bool big_numbers = true;   // "," every three digits in the summary
  bool quiet = false;        // no summary, whatever `summary` says
  int repeats = 1;           // runs asked for per cell; fewer in Cell are marked as such
};

class Report {
 public:
  explicit Report(ReportOptions options);

  // Opens, or creates, and empties (unless rows are appended) the files of -o and --summary-output;
  // to be called when all else has been validated. On an error the one line names the flag, its
  // value and the reason, and the files are as they were: none created, none emptied.
  Written Open();

  // Prints one run's row, before the first row the header. Columns never change after that.
  Written Run(const metrics::ResultRecord& run);

  // Prints the summary of one cell: its runs in order, at least one (none: prints nothing), and
  // its own command line, program name first and secrets taken out, in which lists are replaced by
  // this cell's values. Of several runs the block shows means and their standard errors.
  Written Cell(std::span<const metrics::ResultRecord> runs,
               const std::vector<std::string>& arguments);

  // Closes the files. The error is the first that any stream had: "stdout: No space left on
  // device".
  Written Finish();

 private:
  std::string CellText(std::span<const metrics::ResultRecord> runs,
                       const std::vector<std::string>& arguments) const;
  Written FirstError() const;

  ReportOptions options_;
  Rows rows_;
  OutputStream output_;
  OutputStream summary_;
};

}  // namespace throughput
