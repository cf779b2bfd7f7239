// Runs all cells one after the other and reports each as it ends. Only this process prints.
// Thread rule: one thread; the process has no other.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "apps/write-throughput/cells.h"
#include "apps/write-throughput/interrupt.h"
#include "apps/write-throughput/options.h"
#include "apps/write-throughput/progress_line.h"
#include "apps/write-throughput/report/report.h"
#include "apps/write-throughput/run_order.h"
#include "apps/write-throughput/workload.h"

namespace throughput {

class Sweep {
 public:
  // The options have been checked, the report is open.
  Sweep(const Options& options, const std::vector<Cell>& cells, const Values& values,
        Interrupt& interrupt, Report& report);

  // The runs in this order; `earlier` ones count in the summaries of their cells. Each cell's is
  // printed behind its last run. The exit status.
  int Run(const std::vector<PlannedRun>& plan, std::vector<metrics::ResultRecord> earlier);

 private:
  void RunNext(const PlannedRun& run);
  void Summarize(const Cell& cell);
  std::optional<metrics::ResultRecord> RunRepeat(const Cell& cell, int repeat);
  void AddSimulated(metrics::ResultRecord& record, const Cell& cell, int repeat);
  void Complete(metrics::ResultRecord& record, const Cell& cell, const std::string& path);
  void TellDurability(const metrics::ResultRecord& record, const Cell& cell);
  void Say(std::string_view text);
  void Fail(const Cell& cell, int repeat, std::string_view text);
  bool Stopped() const { return interrupted_ || report_failed_; }

  const Options& options_;
  const std::vector<Cell>& cells_;
  const Values& values_;
  Interrupt& interrupt_;
  Report& report_;
  std::map<int, std::vector<metrics::ResultRecord>> runs_of_cell_;  // by number
  std::map<int, int> runs_left_;                                    // likewise
  SweepProgress position_;
  ProgressLine progress_;
  const bool show_progress_;
  bool failed_ = false;
  bool interrupted_ = false;
  bool report_failed_ = false;
};

}  // namespace throughput
