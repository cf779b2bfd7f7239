#include "tests/metrics/fake_perf_system.h"

#include <algorithm>
#include <cerrno>

namespace metrics {

FakePerfSystem::FakePerfSystem() {
  machine.core_pmus = {{"cpu", 4}};
  machine.has_perf_events = true;
  machine.paranoid = 1;
  machine.descriptor_limit = 1024;
  progress = [](const Counter&, uint64_t ns) { return PerfCount{ns, ns, ns}; };
}

int FakePerfSystem::Open(const perf_event_attr& attributes, pid_t process, int group) {
  const int error = refuse ? refuse(attributes, group) : 0;
  if (error != 0) return -error;
  if (group >= 0) {
    const auto members = std::ranges::count_if(
        counters, [&](const auto& entry) { return entry.second.leader == group; });
    if (static_cast<size_t>(members) + 1 > pmu_size) return -EINVAL;
  }
  int descriptor = 3;
  while (counters.contains(descriptor)) ++descriptor;
  if (static_cast<uint64_t>(descriptor) >= machine.descriptor_limit) return -EMFILE;
  counters[descriptor] = {
      attributes, process, group < 0 ? descriptor : group, !attributes.disabled, {}};
  return descriptor;
}

int FakePerfSystem::Enable(int descriptor) {
  calls.push_back("enable " + std::to_string(descriptor));
  counters.at(descriptor).enabled = true;
  return 0;
}

int FakePerfSystem::Disable(int descriptor) {
  calls.push_back("disable " + std::to_string(descriptor));
  counters.at(descriptor).enabled = false;
  return 0;
}

int FakePerfSystem::Filter(int descriptor, const char* condition) {
  calls.push_back("filter " + std::to_string(descriptor) + " " + condition);
  return -filter_error;
}

int FakePerfSystem::Read(int descriptor, PerfCount& count) {
  if (read_error != 0) return -read_error;
  count = counters.at(descriptor).count;
  return 0;
}

void FakePerfSystem::Close(int descriptor) { counters.erase(counters.find(descriptor)); }

void FakePerfSystem::RunSelfTestLoop() {
  calls.push_back("self-test");
  Run(1'000'000);
}

void FakePerfSystem::Run(uint64_t ns) {
  now_ns += ns;
  for (auto& [descriptor, counter] : counters) {
    if (!counter.enabled || !counters.at(counter.leader).enabled) continue;
    const PerfCount more = progress(counter, ns);
    counter.count.value += more.value;
    counter.count.enabled_ns += more.enabled_ns;
    counter.count.running_ns += more.running_ns;
  }
}

const FakePerfSystem::Counter* FakePerfSystem::Find(uint32_t type, uint64_t config) const {
  for (const auto& [descriptor, counter] : counters) {
    if (counter.attributes.type == type && counter.attributes.config == config) return &counter;
  }
  return nullptr;
}

}  // namespace metrics
