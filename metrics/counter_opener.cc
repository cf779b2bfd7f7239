// See the header. Each step answers a failure in its own way, and none fails the run.
#include "metrics/counter_opener.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <limits>

namespace metrics {
namespace {

bool RefusedByPrivilege(int result) { return result == -EACCES || result == -EPERM; }

// What is measured needs files, too: where few may be open, half of them are left to it.
int DescriptorsEnd(uint64_t limit) {
  constexpr uint64_t kSpare = 64;
  const uint64_t end = limit - std::min(limit / 2, kSpare);
  return static_cast<int>(std::min<uint64_t>(end, std::numeric_limits<int>::max()));
}

bool HappensInKernel(const Event& event) {
  return event.generic.ends_with("-switches") || event.generic == "cpu-migrations";
}

void SetOpen(OpenCounter& counter) {
  counter.source = CounterSource::kPerf;
  counter.status = CounterStatus::kCounted;
}

}  // namespace

std::optional<uint64_t> UsageOf(std::string_view generic, const ProcessUsage& usage) {
  if (generic == "task-clock" || generic == "cpu-clock") return usage.cpu_ns;
  if (generic == "page-faults") return usage.minor_faults + usage.major_faults;
  if (generic == "minor-faults") return usage.minor_faults;
  if (generic == "major-faults") return usage.major_faults;
  if (generic == "context-switches") return usage.context_switches;
  return std::nullopt;
}

CounterOpener::CounterOpener(const CounterOptions& options, PerfSystem& system)
    : options_(options), system_(system), machine_(system.Inspect()) {
  machine_.descriptor_limit = system.RaiseDescriptorLimit();
  descriptors_end_ = DescriptorsEnd(machine_.descriptor_limit);
}

std::vector<OpenCounter> CounterOpener::Open(const EventGroup& group) {
  std::vector<OpenCounter> counters(group.events.size());
  std::vector<OpenCounter*> hardware;
  for (size_t i = 0; i < counters.size(); ++i) {
    counters[i].event = group.events[i];
    counters[i].modifiers = group.events[i].modifiers;
    if (counters[i].event.hardware) {
      hardware.push_back(&counters[i]);
    } else {
      OpenSoftware(counters[i]);
    }
  }
  OpenHardware(hardware, group);
  return counters;
}

// A group is all or nothing on the PMU. Members that this machine does not have are left out of it.
void CounterOpener::OpenHardware(const std::vector<OpenCounter*>& members,
                                 const EventGroup& group) {
  Leaders leaders;
  const bool fits = std::ranges::all_of(
      members, [&](OpenCounter* counter) { return OpenMember(*counter, group, leaders); });
  if (fits) {
    for (const auto& [kind, leader] : leaders) system_.Disable(leader);
    return;
  }
  for (OpenCounter* member : members) Close(*member);
  for (OpenCounter* member : members) {
    if (group.weak) {
      OpenHardware(
          {member},
          {.events = {member->event}, .pinned = group.pinned, .exclusive = group.exclusive});
    } else if (member->cause.empty()) {
      member->cause = fmt::format(
          "a group of {} events does not fit the PMU (EINVAL): make it smaller, or weak (:W)",
          members.size());
    }
  }
}

// False: it would open by itself, but not beside the other members of its group.
bool CounterOpener::OpenMember(OpenCounter& counter, const EventGroup& group, Leaders& leaders) {
  Leaders own;
  for (const perf_event_attr& encoding : ForEachKindOfCore(counter.event)) {
    const auto found = leaders.find(KindOfCore(encoding));
    const int leader = found == leaders.end() ? -1 : found->second;
    const int descriptor = OpenEncoding(counter, encoding, group, leader);
    if (descriptor < 0) {
      if (leader >= 0 && descriptor == -EINVAL && OpensAlone(encoding)) return false;
      Close(counter);  // a figure of some kinds of core only would be wrong
      counter.cause = Explain(counter, -descriptor);
      return true;
    }
    counter.descriptors.push_back(descriptor);
    if (leader < 0) {
      own[KindOfCore(encoding)] = descriptor;
      counter.leaders.push_back(descriptor);
    }
  }
  if (counter.descriptors.empty()) {
    counter.cause = counter.event.cause;
    return true;
  }
  leaders.merge(own);
  SetOpen(counter);
  return true;
}

void CounterOpener::OpenSoftware(OpenCounter& counter) {
  if (counter.event.encodings.empty()) {
    counter.cause = counter.event.cause;
    UseFallback(counter);
    return;
  }
  const int descriptor = OpenEncoding(counter, counter.event.encodings.front(), {}, -1);
  if (descriptor < 0) {
    counter.cause = Explain(counter, -descriptor);
    UseFallback(counter);
    return;
  }
  counter.descriptors.push_back(descriptor);
  counter.leaders.push_back(descriptor);
  SetOpen(counter);
  const bool narrowed = counter.modifiers != counter.event.modifiers;
  if (!narrowed) return;
  // What the kernel accounts anyway is better than the user's part of a count; and of what only
  // happens in the kernel that part is 0.
  const std::string cause = counter.cause;
  if (UseFallback(counter) || !HappensInKernel(counter.event)) return;
  Close(counter);
  counter.cause = cause;
}

// Some PMU drivers (ARM's) leave a disabled leader out when they judge whether a group fits, unless
// it is to be enabled by an exec; the group would then never be on the PMU.
bool CounterOpener::OpensEnabled(const EventGroup& group) const {
  return group.events.size() > 1 && !options_.enable_on_exec;
}

// A descriptor or minus an errno. Refused for its privileges, it counts the user's part alone.
int CounterOpener::OpenEncoding(OpenCounter& counter, const perf_event_attr& encoding,
                                const EventGroup& group, int leader) {
  perf_event_attr attributes = encoding;
  attributes.size = sizeof attributes;
  attributes.disabled = leader < 0 && !OpensEnabled(group);  // members follow their leader
  attributes.inherit = options_.inherit;
  attributes.enable_on_exec = options_.enable_on_exec && leader < 0;
  attributes.pinned = group.pinned && leader < 0;
  attributes.exclusive = group.exclusive && leader < 0;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  const int descriptor = Call(attributes, leader);
  if (!RefusedByPrivilege(descriptor) || attributes.exclude_kernel || attributes.exclude_user) {
    return descriptor;
  }
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  const int user_only = Call(attributes, leader);
  if (user_only < 0) return user_only;
  std::string& modifiers = counter.modifiers;
  std::erase_if(modifiers, [](char level) { return level == 'u' || level == 'k' || level == 'h'; });
  modifiers.insert(modifiers.begin(), 'u');
  counter.cause = fmt::format("only user mode is counted: {}", Explain(counter, -descriptor));
  return user_only;
}

bool CounterOpener::OpensAlone(const perf_event_attr& encoding) {
  OpenCounter alone;
  const int descriptor = OpenEncoding(alone, encoding, {}, -1);
  if (descriptor >= 0) system_.Close(descriptor);
  return descriptor >= 0;
}

int CounterOpener::Call(perf_event_attr attributes, int leader) {
  const int descriptor = system_.Open(attributes, options_.process, leader);
  if (descriptor < descriptors_end_) return descriptor;
  system_.Close(descriptor);
  return -EMFILE;
}

// The kernel opens a generic event on one kind of core unless the PMU's number stands above the
// event's (PERF_PMU_TYPE_SHIFT).
std::vector<perf_event_attr> CounterOpener::ForEachKindOfCore(const Event& event) const {
  if (machine_.core_pmus.size() < 2 || event.encodings.size() != 1) return event.encodings;
  const perf_event_attr& plain = event.encodings.front();
  if (plain.type != PERF_TYPE_HARDWARE && plain.type != PERF_TYPE_HW_CACHE) return event.encodings;
  std::vector<perf_event_attr> encodings;
  for (const CorePmu& pmu : machine_.core_pmus) {
    encodings.push_back(plain);
    encodings.back().config |= uint64_t{pmu.type} << PERF_PMU_TYPE_SHIFT;
  }
  return encodings;
}

uint64_t CounterOpener::KindOfCore(const perf_event_attr& encoding) const {
  if (machine_.core_pmus.size() < 2) return 0;
  const bool generic = encoding.type == PERF_TYPE_HARDWARE || encoding.type == PERF_TYPE_HW_CACHE;
  return generic ? encoding.config >> PERF_PMU_TYPE_SHIFT : encoding.type;
}

std::string CounterOpener::Explain(const OpenCounter& counter, int error) const {
  return ExplainOpenFailure(error, counter.event.hardware, machine_);
}

// Back to where it was before it was opened, except that a cause of its own stays.
void CounterOpener::Close(OpenCounter& counter) {
  if (!counter.descriptors.empty()) counter.cause.clear();
  for (const int descriptor : counter.descriptors) system_.Close(descriptor);
  counter.descriptors.clear();
  counter.leaders.clear();
  counter.modifiers = counter.event.modifiers;
  counter.source = CounterSource::kNone;
  counter.status = CounterStatus::kNotSupported;
}

bool CounterOpener::UseFallback(OpenCounter& counter) {
  if (!counter.event.modifiers.empty()) return false;
  CounterSource source = CounterSource::kNone;
  if (options_.usage_fallback && UsageOf(counter.event.generic, {})) {
    source = CounterSource::kUsage;
  } else if (options_.migrations_fallback && counter.event.generic == "cpu-migrations" &&
             system_.ThreadMigrations()) {
    source = CounterSource::kMigrations;
  } else {
    return false;
  }
  Close(counter);
  counter.source = source;
  counter.status = CounterStatus::kCounted;
  counter.cause.clear();
  return true;
}

}  // namespace metrics
