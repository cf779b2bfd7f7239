// Runs all cells one after the other and reports each as it ends. Only this process prints.
// Thread rule: one thread; the process has no other.
#pragma once

#include <string_view>
#include <vector>

#include "apps/write-throughput/cells.h"
#include "apps/write-throughput/interrupt.h"
#include "apps/write-throughput/options.h"
#include "apps/write-throughput/progress_line.h"
#include "apps/write-throughput/report/report.h"
#include "apps/write-throughput/workload.h"

namespace throughput {

class Sweep {
 public:
  // The options have been checked, the report is open.
  Sweep(const Options& options, const std::vector<Cell>& cells, const Values& values,
        Interrupt& interrupt, Report& report);

  int Run();  // the exit status

 private:
  void RunCell(const Cell& cell);
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
  ProgressLine progress_;
  const bool show_progress_;
  bool failed_ = false;
  bool interrupted_ = false;
  bool report_failed_ = false;
};

}  // namespace throughput
