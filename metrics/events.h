// Events by name: what -e asks for, the default set, and what this machine can count.
//
// Names are libpfm4's, native ("INST_RETIRED", "amd64_fam19h_zen4::RETIRED_INSTRUCTIONS") and
// generic ("perf::INSTRUCTIONS"), perf's spelling of the generic ones ("L1-dcache-load-misses",
// "cpu-clock", "cs"), and raw codes ("r1a8"). An event keeps its place and its name as asked for.
//
// Thread rule: libpfm4 is initialised by the first call, which therefore comes before any thread;
// afterwards from one thread at a time.
#pragma once

#include <linux/perf_event.h>

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "metrics/perf_system.h"

namespace metrics {

struct Event {
  std::string name;       // as asked for, without modifiers
  std::string modifiers;  // in the order "ukhGH", empty: all of them
  std::string generic;    // as in CounterReading
  bool hardware = false;
  bool asked_by_name = false;
  // type, config and privilege levels only. More than one where the CPU has several kinds of core:
  // the event's figure is their sum. Empty: `cause` says why.
  std::vector<perf_event_attr> encodings;
  std::string cause;
};

// Events that are counted together or not at all. A single event is a group of one.
struct EventGroup {
  std::vector<Event> events;  // the first is the leader
  bool weak = false;       // modifier W: too large for the PMU, count the events one by one instead
  bool pinned = false;     // modifier D: always on the PMU, or not counted at all
  bool exclusive = false;  // modifier e: alone on the PMU
};

// The groups of one or several -e lists, in order. The syntax is perf's:
//   list     item[,item...]
//   item     event or {event[,event...]}[:modifiers]
//   event    name[:modifiers], where a name may have libpfm4 attributes (NAME:UMASK:c=1)
// Modifiers: u k h (user, kernel, hypervisor), G H (guest, host), and for the group as a whole, at
// whichever event they stand, D pinned, e exclusive, W weak. A group's modifiers are added to those
// of each of its events. Blanks between the parts mean nothing.
// Errors, one line each: empty list, item or group, an unbalanced or nested brace, an unknown or
// repeated modifier, perf's pmu/.../ form, an attribute of libpfm4's that is not for counting
// (period=, freq=, precise=, cpu=, ...), and an unknown name, with the nearest ones.
tl::expected<std::vector<EventGroup>, std::string> ParseEvents(std::span<const std::string> lists);

// perf stat's: task-clock, context-switches, cpu-migrations, page-faults, instructions, cycles,
// stalled-cycles-frontend, stalled-cycles-backend, branches, branch-misses, in this order. Events
// whose ratio is printed are weak groups, so that both sides saw the same time. Never fails: an
// event without an encoding is reported as not supported.
std::vector<EventGroup> DefaultEvents();

struct ListedEvent {
  std::string name;  // as -e takes it
  std::string pmu;   // "perf" for generic and software events, else libpfm4's name of the PMU
  std::string description;  // one line
};

// The events that open on this machine and whose name or description contains `word` in whatever
// case; all for an empty word. Generic ones come first, then PMU by PMU, each in libpfm4's order.
std::vector<ListedEvent> ListEvents(std::string_view word = {},
                                    PerfSystem& system = PerfSystem::Kernel());

// "4.13", of libpfm4.
std::string LibpfmVersion();

}  // namespace metrics
