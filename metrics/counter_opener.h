// Opens the events of a group, with all that can go wrong: refused privileges, absent events,
// groups that do not fit, several kinds of core, too few file descriptors.
//
// Thread rule: the thread that is counted, or one thread for another process.
// Invariant: a counter has descriptors, another source, or the status kNotSupported with a cause.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/counter_reading.h"
#include "metrics/events.h"
#include "metrics/perf_system.h"

namespace metrics {

struct CounterOptions {
  pid_t process = 0;                // 0: the calling thread
  bool inherit = true;              // threads and processes that it makes later count, too
  bool enable_on_exec = false;      // counting begins with the next exec
  bool usage_fallback = true;       // figures of getrusage where perf has none
  bool migrations_fallback = true;  // and those of /proc
};

enum class CounterSource { kNone, kPerf, kUsage, kMigrations };

struct OpenCounter {
  Event event;            // as asked for
  std::string modifiers;  // as opened
  CounterSource source = CounterSource::kNone;
  CounterStatus status = CounterStatus::kNotSupported;
  std::string cause;
  std::vector<int> descriptors;  // one for each kind of core
  std::vector<int> leaders;      // those of them that switch their group on and off
};

// The figure of an event in what getrusage tells; absent for events that it does not count.
std::optional<uint64_t> UsageOf(std::string_view generic, const ProcessUsage& usage);

class CounterOpener {
 public:
  // Raises the soft limit of open files.
  CounterOpener(const CounterOptions& options, PerfSystem& system);

  // One counter for each event of the group, in order; the descriptors are the caller's to close.
  // Software events are opened by themselves, as they need no place on the PMU.
  std::vector<OpenCounter> Open(const EventGroup& group);

  // Closes the counter and takes its figure from the kernel's accounts instead, if they have it.
  bool UseFallback(OpenCounter& counter);

 private:
  using Leaders = std::map<uint64_t, int>;  // kind of core, descriptor

  void OpenHardware(const std::vector<OpenCounter*>& members, const EventGroup& group);
  bool OpenMember(OpenCounter& counter, const EventGroup& group, Leaders& leaders);
  void OpenSoftware(OpenCounter& counter);
  bool OpensEnabled(const EventGroup& group) const;
  int OpenEncoding(OpenCounter& counter, const perf_event_attr& encoding, const EventGroup& group,
                   int leader);
  bool OpensAlone(const perf_event_attr& encoding);
  int Call(perf_event_attr attributes, int leader);
  std::vector<perf_event_attr> ForEachKindOfCore(const Event& event) const;
  uint64_t KindOfCore(const perf_event_attr& encoding) const;
  std::string Explain(const OpenCounter& counter, int error) const;
  void Close(OpenCounter& counter);

  const CounterOptions options_;
  PerfSystem& system_;
  Machine machine_;
  int descriptors_end_ = 0;  // the first descriptor that is left to the program itself
};

}  // namespace metrics
