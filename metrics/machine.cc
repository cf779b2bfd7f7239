// Reads what decides over counters, and turns an errno into a line a user can act on.
#include "metrics/machine.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

#include "metrics/text_file.h"

namespace metrics {
namespace {

template <typename Number>
std::optional<Number> ParseNumber(std::string_view text, int base = 10) {
  Number number{};
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return std::nullopt;
  const auto parsed = std::from_chars(text.data() + first, text.data() + text.size(), number, base);
  if (parsed.ec != std::errc()) return std::nullopt;
  return number;
}

// A PMU of cores says which CPUs it is in ("cpus"; those beside the cores have "cpumask"), except
// where there is only one kind and its name says it: x86, PowerPC and RISC-V, and s390.
std::vector<CorePmu> FindCorePmus(const std::string& root) {
  std::vector<CorePmu> pmus;
  std::error_code error;
  const std::string folder = root + "/sys/bus/event_source/devices";
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    const bool of_cores =
        name == "cpu" || name == "cpum_cf" || std::filesystem::exists(entry.path() / "cpus", error);
    const auto type = ParseNumber<uint32_t>(ReadTextFile(entry.path() / "type").value_or(""));
    if (of_cores && type) pmus.push_back({name, *type});
  }
  std::ranges::sort(pmus, {}, &CorePmu::type);
  return pmus;
}

// The number behind "key:" at the beginning of a line.
template <typename Number>
std::optional<Number> StatusField(std::string_view status, std::string_view key, int base) {
  const std::string wanted = fmt::format("\n{}:", key);
  const size_t found = status.find(wanted);
  if (found == std::string_view::npos) return std::nullopt;
  return ParseNumber<Number>(status.substr(found + wanted.size()), base);
}

}  // namespace

Machine InspectMachine(const std::string& root) {
  constexpr uint64_t kSysAdmin = uint64_t{1} << 21;  // capability numbers of linux/capability.h
  constexpr uint64_t kPerfmon = uint64_t{1} << 38;
  Machine machine;
  machine.core_pmus = FindCorePmus(root);
  if (const auto paranoid = ReadTextFile(root + "/proc/sys/kernel/perf_event_paranoid")) {
    machine.has_perf_events = true;
    machine.paranoid = ParseNumber<int>(*paranoid).value_or(machine.paranoid);
  }
  const std::string status = ReadTextFile(root + "/proc/self/status").value_or("");
  const uint64_t capabilities = StatusField<uint64_t>(status, "CapEff", 16).value_or(0);
  machine.may_profile = (capabilities & (kSysAdmin | kPerfmon)) != 0;
  machine.seccomp_filter = StatusField<int>(status, "Seccomp", 10) == 2;
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);  // cannot fail with these arguments
  machine.descriptor_limit = limit.rlim_cur;
  return machine;
}

std::string ErrnoName(int error) {
  const char* name = strerrorname_np(error);
  return name != nullptr ? std::string(name) : fmt::format("errno {}", error);
}

uint64_t RaiseDescriptorLimit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);  // cannot fail with these arguments
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_max : before;
}

namespace {

std::string ExplainRefusal(int error, const Machine& machine) {
  const std::string name = ErrnoName(error);
  // A filter answers EPERM or ENOSYS in the kernel's place; the kernel itself says EACCES.
  if (machine.seccomp_filter && error == EPERM) {
    return fmt::format(
        "perf_event_open is blocked by a seccomp filter, as containers set ({}): allow it in the "
        "container's profile, or run with --cap-add PERFMON",
        name);
  }
  if (machine.paranoid >= 2 && !(machine.may_profile && error == EPERM)) {
    return fmt::format(
        "kernel.perf_event_paranoid is {} ({}): set it to 1 (sysctl kernel.perf_event_paranoid=1) "
        "or give the program CAP_PERFMON",
        machine.paranoid, name);
  }
  return fmt::format(
      "a security module or kernel lockdown forbids perf_event_open ({}): allow it there", name);
}

std::string ExplainAbsence(int error, bool hardware, const Machine& machine) {
  const std::string name = ErrnoName(error);
  if (hardware && machine.core_pmus.empty()) {
    return fmt::format(
        "this machine has no PMU ({}): run on bare metal, or let the hypervisor give the virtual "
        "machine one",
        name);
  }
  return fmt::format("this {} does not count it ({}): choose another event",
                     hardware ? "CPU or its kernel driver" : "kernel", name);
}

}  // namespace

std::string ExplainOpenFailure(int error, bool hardware, const Machine& machine) {
  const std::string name = ErrnoName(error);
  switch (error) {
    case ENOSYS:
      if (machine.seccomp_filter && machine.has_perf_events) {
        return fmt::format(
            "perf_event_open is hidden by a seccomp filter, as containers set ({}): allow it in "
            "the container's profile",
            name);
      }
      return fmt::format("this kernel has no perf events ({}): use one with CONFIG_PERF_EVENTS",
                         name);
    case EACCES:
    case EPERM:
      return ExplainRefusal(error, machine);
    case EMFILE:
      return fmt::format(
          "out of file descriptors ({}): the limit is {}, raise its hard limit (ulimit -Hn)", name,
          machine.descriptor_limit);
    case ENFILE:
      return fmt::format("the system is out of file descriptors ({}): raise fs.file-max", name);
    case EBUSY:
      return fmt::format(
          "another program holds the PMU for itself ({}): end it, or ask without the modifiers D "
          "and e",
          name);
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case EINVAL:
    case E2BIG:
    case EOPNOTSUPP:
      return ExplainAbsence(error, hardware, machine);
    default: {
      const char* text = strerrordesc_np(error);
      return fmt::format("perf_event_open failed ({}): {}", name, text ? text : "unknown error");
    }
  }
}

}  // namespace metrics
