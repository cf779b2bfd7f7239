// What the tests of merging share: runs merged into one, in a simulated file system.
//
// Thread rule: one thread.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "engine/runs/merge.h"
#include "tests/engine/runs/run_fixture.h"

namespace burin {

class MergeTest : public RunTest {
 protected:
  struct Merged {
    RunRef run;
    MergeCounts counts;
  };

  // Of runs that are open, newest first, into run 100.
  Result<Merged> Merge(const std::vector<RunRef>& runs, const Retention& retention,
                       uint64_t run_id = 100) {
    auto writer = RunWriter::Create(*files_, kFolder, run_id, kDatabase);
    if (!writer.ok()) return writer.TakeStatus();
    auto counts = MergeRuns(runs, retention, writer->get());
    if (!counts.ok()) return counts.TakeStatus();
    if (Status status = (*writer)->Finish(); !status.ok()) return status;
    auto run = Open(run_id);
    if (!run.ok()) return run.TakeStatus();
    return Merged{*run, *counts};
  }

  Merged MustMerge(const std::vector<RunRef>& runs, const Retention& retention,
                   uint64_t run_id = 100) {
    auto merged = Merge(runs, retention, run_id);
    EXPECT_TRUE(merged.ok()) << Text(merged.status());
    return *merged;
  }

  std::vector<RunRow> MergedRows(const std::vector<std::vector<RunRow>>& newest_first,
                                 const Retention& retention) {
    Reset();
    std::vector<RunRef> runs;
    for (const auto& rows : newest_first) runs.push_back(MustWriteAndOpen(runs.size() + 1, rows));
    return *ReadAll(MustMerge(runs, retention).run);
  }
};

}  // namespace burin
