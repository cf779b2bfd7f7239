// Counters of a whole other program, from its exec to its exit, as an outer `perf stat` counts:
// with the loader, main and exit, and with its children.
//
// Thread rule: one thread; Launch before the process has others, as it forks.
// Invariant: nothing of this process is counted; counting begins with the exec.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "metrics/counter_reading.h"
#include "metrics/events.h"
#include "metrics/perf_system.h"
#include "metrics/process_usage.h"

namespace metrics {

class ProcessScope {
 public:
  struct Outcome {
    int wait_status = 0;                   // as waitpid gives it
    double seconds = 0;                    // from just before the exec to the exit
    ProcessTimes times;                    // of the program and the children it waited for
    std::vector<CounterReading> readings;  // one for each event in order
  };

  // Forks, calls `in_child` in the child (to redirect descriptors, say), opens the events on it and
  // lets it execute `arguments`, the first being the program's path. Errors: fork, pipe or exec
  // failed, with the errno's text.
  static tl::expected<std::unique_ptr<ProcessScope>, std::string> Launch(
      const std::vector<std::string>& arguments, const std::vector<EventGroup>& groups,
      const std::function<void()>& in_child = {}, PerfSystem& system = PerfSystem::Kernel());
  ~ProcessScope();  // closes the counters; does not wait
  ProcessScope(const ProcessScope&) = delete;
  ProcessScope& operator=(const ProcessScope&) = delete;

  pid_t pid() const;  // to pass signals on

  // Waits for the program to end. Once.
  tl::expected<Outcome, std::string> Wait();

 private:
  class Impl;
  explicit ProcessScope(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace metrics
