// The real kernel. System calls that a signal interrupts are repeated.
#include "metrics/perf_system.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "metrics/self_test.h"

namespace metrics {
namespace {

class KernelPerfSystem : public PerfSystem {
 public:
  int Open(const perf_event_attr& attributes, pid_t process, int group) override {
    constexpr int kAnyCpu = -1;
    const long descriptor =
        syscall(SYS_perf_event_open, &attributes, process, kAnyCpu, group, PERF_FLAG_FD_CLOEXEC);
    return descriptor < 0 ? -errno : static_cast<int>(descriptor);
  }

  int Enable(int descriptor) override { return Control(descriptor, PERF_EVENT_IOC_ENABLE, 0); }
  int Disable(int descriptor) override { return Control(descriptor, PERF_EVENT_IOC_DISABLE, 0); }
  int Filter(int descriptor, const char* condition) override {
    return Control(descriptor, PERF_EVENT_IOC_SET_FILTER, condition);
  }

  int Read(int descriptor, PerfCount& count) override {
    std::array<uint64_t, 3> words;  // value, time enabled, time running
    ssize_t got = 0;
    do {
      got = read(descriptor, words.data(), sizeof words);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return -errno;
    if (got != sizeof words) return -ENODATA;
    count = {words[0], words[1], words[2]};
    return 0;
  }

  void Close(int descriptor) override { close(descriptor); }

  ProcessUsage Usage() override { return ProcessUsage::Now(); }
  std::optional<Migrations> ThreadMigrations() override { return ReadMigrations(); }
  std::map<int, ThreadUsage> Threads() override { return ReadThreads(); }
  OwnUsage OwnThread() override { return ReadOwnThread(); }

  uint64_t MonotonicNs() override {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
  }

  Machine Inspect() override { return InspectMachine(); }
  uint64_t RaiseDescriptorLimit() override { return metrics::RaiseDescriptorLimit(); }
  void RunSelfTestLoop() override { metrics::RunSelfTestLoop(); }

 private:
  template <typename Argument>
  static int Control(int descriptor, unsigned long request, Argument argument) {
    int result = 0;
    do {
      result = ioctl(descriptor, request, argument);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
  }
};

}  // namespace

PerfSystem& PerfSystem::Kernel() {
  static KernelPerfSystem kernel;
  return kernel;
}

}  // namespace metrics
