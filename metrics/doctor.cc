// One function for each thing that is looked at.
#include "metrics/doctor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <set>

#include "metrics/counter_session.h"
#include "metrics/sync_tracepoints.h"
#include "metrics/text_file.h"

namespace metrics {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCpuFolder = "/sys/devices/system/cpu";

Finding Ok(std::string subject, std::string found) {
  return {Verdict::kOk, std::move(subject), std::move(found), {}};
}
Finding Warn(std::string subject, std::string found, std::string fix) {
  return {Verdict::kWarn, std::move(subject), std::move(found), std::move(fix)};
}

// The file's first line without blanks at its end; absent without the file.
std::optional<std::string> Line(const std::string& path) {
  auto text = ReadTextFile(path);
  if (!text) return std::nullopt;
  text->resize(std::min(text->size(), text->find('\n')));
  text->resize(text->find_last_not_of(" \t") + 1);
  return text;
}

std::optional<double> Number(const std::optional<std::string>& text) {
  double number = 0;
  if (!text) return std::nullopt;
  const auto parsed = std::from_chars(text->data(), text->data() + text->size(), number);
  if (parsed.ec != std::errc()) return std::nullopt;
  return number;
}

Finding Pmu(const Machine& machine) {
  if (machine.core_pmus.empty()) {
    return Warn("PMU", "none: instructions and cycles cannot be counted",
                "run on bare metal, let the hypervisor give the virtual machine a PMU, or use "
                "--counters callgrind");
  }
  std::vector<std::string> names;
  for (const CorePmu& pmu : machine.core_pmus) names.push_back(pmu.name);
  return Ok("PMU", fmt::format("{}", fmt::join(names, ", ")));
}

// `causes`: those that have been told.
Finding EventOf(const CounterReading& reading, std::set<std::string>& causes) {
  const bool known = !reading.cause.empty() && !causes.insert(reading.cause).second;
  const std::string cause = known ? "as above" : reading.cause;
  switch (reading.status) {
    case CounterStatus::kCounted:
    case CounterStatus::kNotCounted:  // the trial was too short for it to get its turn
      if (!reading.cause.empty() && reading.status == CounterStatus::kCounted) {
        return Warn(reading.event, cause, "");
      }
      return Ok(reading.event, fmt::format("counted by {}", reading.source));
    case CounterStatus::kNotSupported:
      return Warn(reading.event, fmt::format("not supported: {}", cause), "");
    case CounterStatus::kSuspect:
      return Warn(reading.event, fmt::format("suspect: {}", cause), "");
  }
  return {};
}

std::vector<Finding> Events(PerfSystem& system) {
  const auto session = CounterSession::Open(DefaultEvents(), system);
  session->Start();
  system.RunSelfTestLoop();
  session->Stop();
  std::vector<Finding> findings;
  std::set<std::string> causes;
  for (const CounterReading& reading : session->Readings()) {
    findings.push_back(EventOf(reading, causes));
  }
  return findings;
}

Finding Paranoid(const Machine& machine) {
  const std::string subject = "perf_event_paranoid";
  if (!machine.has_perf_events) {
    return Warn(subject, "this kernel has no perf events", "use one with CONFIG_PERF_EVENTS");
  }
  const std::string level = fmt::format("{}", machine.paranoid);
  if (machine.paranoid <= 1) return Ok(subject, level);
  if (machine.may_profile) return Ok(subject, level + ", which does not bind this process");
  return Warn(subject, level + ": the kernel's part of events is not counted",
              "sysctl kernel.perf_event_paranoid=1");
}

// Evidence of durability, not of speed: measuring goes on without it.
Finding SyncCalls(const std::string& root, PerfSystem& system) {
  const std::string subject = "sync tracepoints";
  const auto opened = SyncTracepoints::Open(system, root);
  if (!opened) return Warn(subject, "not counted: " + opened.error(), "");
  return Ok(subject, "the kernel counts the syncs of engines that do not count themselves");
}

Finding Governor(const std::string& root) {
  std::set<std::string> governors;
  std::error_code error;
  for (const auto& cpu : fs::directory_iterator(root + std::string(kCpuFolder), error)) {
    const auto governor = Line(cpu.path() / "cpufreq/scaling_governor");
    if (governor) governors.insert(*governor);
  }
  if (governors.empty()) {
    return Ok("governor", "none in sight: the hypervisor or the firmware sets the frequency");
  }
  const std::string names = fmt::format("{}", fmt::join(governors, ", "));
  if (governors == std::set<std::string>{"performance"}) return Ok("governor", names);
  return Warn("governor", names + ": the frequency follows the load",
              "cpupower frequency-set -g performance");
}

Finding Turbo(const std::string& root) {
  const std::string folder = root + std::string(kCpuFolder);
  const auto no_turbo = Line(folder + "/intel_pstate/no_turbo");
  const auto boost = Line(folder + "/cpufreq/boost");
  if (!no_turbo && !boost) return Ok("turbo", "no switch in sight");
  if (no_turbo ? *no_turbo == "1" : *boost == "0") return Ok("turbo", "off");
  return Warn("turbo", "on: the frequency follows temperature and the other cores",
              no_turbo ? fmt::format("echo 1 > {}/intel_pstate/no_turbo", kCpuFolder)
                       : fmt::format("echo 0 > {}/cpufreq/boost", kCpuFolder));
}

Finding Smt(const std::string& root) {
  const auto active = Line(root + std::string(kCpuFolder) + "/smt/active");
  if (!active || *active != "1") return Ok("SMT", active ? "off" : "none in sight");
  return Warn("SMT", "on: two threads share a core and slow each other down",
              fmt::format("echo off > {}/smt/control, or no more threads than cores", kCpuFolder));
}

Finding NmiWatchdog(const std::string& root) {
  const auto watchdog = Line(root + "/proc/sys/kernel/nmi_watchdog");
  if (!watchdog || *watchdog != "1") return Ok("NMI watchdog", watchdog ? "off" : "none");
  return Warn("NMI watchdog", "on: it holds one of the PMU's counters",
              "sysctl kernel.nmi_watchdog=0");
}

// The CPUs that a folder of the control groups allows, of version 2 or 1; absent: no limit.
std::optional<double> QuotaIn(const std::string& folder) {
  if (const auto both = Line(folder + "/cpu.max")) {
    const size_t blank = both->find(' ');
    const auto quota = Number(both->substr(0, blank));
    const auto period =
        Number(blank == std::string::npos ? std::string() : both->substr(blank + 1));
    return quota && period && *period > 0 ? std::optional(*quota / *period) : std::nullopt;
  }
  const auto quota = Number(Line(folder + "/cpu.cfs_quota_us"));
  const auto period = Number(Line(folder + "/cpu.cfs_period_us"));
  return quota && period && *quota > 0 && *period > 0 ? std::optional(*quota / *period)
                                                      : std::nullopt;
}

// The groups that this process is in, as folders: each line of /proc/self/cgroup is
// number:controllers:path, the controllers being empty in version 2.
std::vector<fs::path> ControlGroups(const std::string& root) {
  std::vector<fs::path> groups;
  std::string text = ReadTextFile(root + "/proc/self/cgroup").value_or("");
  for (size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
    const std::string line = text.substr(0, end);
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool of_cpu = ("," + controllers + ",").find(",cpu,") != std::string::npos;
    if (!controllers.empty() && !of_cpu) continue;
    groups.emplace_back("/sys/fs/cgroup/" + controllers + line.substr(second + 1));
  }
  return groups;
}

Finding CpuQuota(const std::string& root) {
  std::optional<double> least;
  for (fs::path group : ControlGroups(root)) {
    for (; group.string().starts_with("/sys/fs/cgroup"); group = group.parent_path()) {
      const auto quota = QuotaIn(root + group.string());
      if (quota && (!least || *quota < *least)) least = quota;
    }
  }
  if (!least) return Ok("CPU quota", "none");
  return Warn("CPU quota",
              fmt::format("{:.2f} CPUs: beyond that threads are stopped for milliseconds", *least),
              "raise the limit of the control group or container");
}

Finding OtherLoad(const std::string& root, int cpus) {
  constexpr double kQuiet = 0.2;  // of a CPU
  const auto load = Number(Line(root + "/proc/loadavg"));
  if (!load) return Warn("other load", "/proc/loadavg cannot be read", "");
  const std::string found = fmt::format("{:.2f} over the last minute, on {} CPUs", *load, cpus);
  if (*load <= kQuiet * cpus) return Ok("other load", found);
  return Warn("other load", found, "end other programs, or wait until the machine is quiet");
}

int Cpus(const std::string& root) {
  const std::string text = ReadTextFile(root + "/proc/cpuinfo").value_or("");
  int cpus = text.starts_with("processor") ? 1 : 0;
  for (size_t at = 0; (at = text.find("\nprocessor", at)) != std::string::npos; ++at) ++cpus;
  return std::max(1, cpus);
}

}  // namespace

std::vector<Finding> ExamineMachine(const std::string& root, PerfSystem& system) {
  const Machine machine = InspectMachine(root);
  std::vector<Finding> findings = {Pmu(machine)};
  for (Finding& event : Events(system)) findings.push_back(std::move(event));
  for (const Finding& finding :
       {Paranoid(machine), SyncCalls(root, system), Governor(root), Turbo(root), Smt(root),
        NmiWatchdog(root), CpuQuota(root), OtherLoad(root, Cpus(root))}) {
    findings.push_back(finding);
  }
  return findings;
}

namespace {

Finding FileSystem(const std::string& file_system) {
  const std::string subject = "file system";
  if (file_system.starts_with("tmpfs ") || file_system.starts_with("ramfs ")) {
    return Warn(subject, file_system + ": memory, where syncs cost nothing",
                "--database on the disk that matters");
  }
  return Ok(subject, file_system.empty() ? "unknown" : file_system);
}

Finding Sync(const SyncTrial& trial) {
  constexpr double kFasterThanAnyDeviceUs = 5;
  const std::string subject = "sync";
  if (!trial.error.empty()) {
    return {Verdict::kFix, subject, trial.error,
            "--database in a folder that can be written and synced"};
  }
  const std::string took =
      fmt::format("takes {:.0f} us (median of {})", trial.median_us, trial.syncs);
  const auto syncs = static_cast<uint64_t>(trial.syncs);
  const std::string fix = "--database on a disk of this machine, without a layer that holds writes";
  if (trial.writes && *trial.writes < syncs) {
    return Warn(
        subject,
        fmt::format("{}, but {} saw {} writes meanwhile", took, trial.device, *trial.writes), fix);
  }
  if (trial.writes && trial.volatile_cache && trial.flushes && *trial.flushes < syncs) {
    return Warn(subject,
                fmt::format("{}, but {} has a volatile cache and saw {} flushes meanwhile", took,
                            trial.device, *trial.flushes),
                fix);
  }
  if (trial.writes) return Ok(subject, fmt::format("{} and reaches {}", took, trial.device));
  if (trial.median_us < kFasterThanAnyDeviceUs) {
    return Warn(subject, took + ": no device is that fast", fix);
  }
  return Ok(subject, took + "; this file system does not tell on which device");
}

}  // namespace

std::vector<Finding> ExaminePlace(const std::string& file_system, const SyncTrial& trial) {
  return {FileSystem(file_system), Sync(trial)};
}

}  // namespace metrics
