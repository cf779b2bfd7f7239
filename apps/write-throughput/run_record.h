// The result record of a run, put together from what its parts have seen.
// Thread rule: one thread, when the load has ended.
#pragma once

#include <optional>

#include "apps/write-throughput/load.h"
#include "apps/write-throughput/run_plan.h"
#include "apps/write-throughput/targets/target.h"
#include "apps/write-throughput/window.h"
#include "metrics/result_record.h"
#include "metrics/thread_session.h"

namespace throughput {

struct RunWitnesses {
  const LoadPlan& load_plan;
  const Load& load;
  const LoadResult& result;
  const Window& window;                             // closed
  const metrics::ThreadSession* threads = nullptr;  // null: threads are not counted one by one
  std::optional<LoadedEngine> loaded;
};

// All but intervals, verification, and what the caller of the run adds. Right behind the load: it
// measures the harness's own share for some milliseconds.
metrics::ResultRecord RecordOf(const RunPlan& plan, const RunWitnesses& seen);

}  // namespace throughput
