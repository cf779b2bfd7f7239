// Owns what the lines of a history must have in common, so that a series over them means something.
#include <fmt/format.h>

#include "apps/results/text.h"
#include "apps/throughput-changes/history.h"

namespace throughput {
namespace {

Result<void> Same(const std::string& where, std::string_view what, const std::string& now,
                  const std::string& before) {
  if (now == before) return {};
  return Refused(fmt::format("{}: {} '{}' after '{}': a history holds one, use another file", where,
                             what, Printable(now), Printable(before)));
}

}  // namespace

Result<void> HistoryChecker::Accept(const RecordedRun& run, const std::string& where) {
  if (auto commit = AcceptCommit(run, where); !commit) return commit;
  if (!runs_of_commit_.emplace(run.test, run.run).second) {
    return Refused(fmt::format("{}: commit {} has run {} of '{}' already", where,
                               Printable(run.commit), run.run, Printable(run.test)));
  }
  return AcceptMetrics(run, where);
}

Result<void> HistoryChecker::AcceptCommit(const RecordedRun& run, const std::string& where) {
  const bool next_commit = !last_ || last_->commit != run.commit;
  if (next_commit && !commits_.insert(run.commit).second) {
    return Refused(
        fmt::format("{}: commit {} comes again after {}: all runs of a commit stand "
                    "together",
                    where, Printable(run.commit), Printable(last_->commit)));
  }
  if (last_) {
    if (auto same = Same(where, "branch", run.branch, last_->branch); !same) return same;
    if (auto same = Same(where, "repository", run.repository, last_->repository); !same) {
      return same;
    }
    if (run.time < last_->time) {
      return Refused(fmt::format("{}: time {} after {}: commits stand oldest first", where,
                                 run.time, last_->time));
    }
    if (!next_commit && run.time != last_->time) {
      return Refused(fmt::format("{}: commit {} has two times, {} and {}", where,
                                 Printable(run.commit), last_->time, run.time));
    }
    if (!next_commit && run.machine != last_->machine) {
      return Refused(fmt::format("{}: commit {} was measured on two machines, '{}' and '{}'", where,
                                 Printable(run.commit), Printable(last_->machine),
                                 Printable(run.machine)));
    }
  }
  if (next_commit) runs_of_commit_.clear();
  last_ = run;
  last_->metrics.clear();
  return {};
}

Result<void> HistoryChecker::AcceptMetrics(const RecordedRun& run, const std::string& where) {
  std::set<std::string> names;
  for (const Metric& metric : run.metrics) {
    if (!names.insert(metric.name).second) {
      return Refused(fmt::format("{}: metric '{}' comes twice", where, Printable(metric.name)));
    }
    const auto [known, is_new] = metrics_.try_emplace({run.test, metric.name}, metric);
    if (is_new) continue;
    if (auto same =
            Same(where, "unit of " + Printable(metric.name), metric.unit, known->second.unit);
        !same) {
      return same;
    }
    if (metric.better != known->second.better) {
      return Refused(fmt::format("{}: metric '{}' is better higher and better lower", where,
                                 Printable(metric.name)));
    }
  }
  return {};
}

}  // namespace throughput
