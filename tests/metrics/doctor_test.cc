#include "metrics/doctor.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "metrics/thread_usage.h"
#include "tests/metrics/fake_perf_system.h"

namespace metrics {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

// A folder that looks like / to the doctor.
class DoctorTest : public testing::Test {
 protected:
  DoctorTest() {
    std::string name = testing::TempDir() + "doctor-XXXXXX";
    root_ = mkdtemp(name.data());
    Write("/sys/bus/event_source/devices/cpu/type", "4\n");
    Write("/proc/sys/kernel/perf_event_paranoid", "1\n");
    Write("/proc/loadavg", "0.10 0.20 0.30 1/200 4711\n");
    Write("/proc/cpuinfo", "processor\t: 0\nflags\t: a\n\nprocessor\t: 1\nflags\t: a\n");
    for (const std::string call : {"fsync", "fdatasync", "msync", "sync", "syncfs"}) {
      Write("/sys/kernel/tracing/events/syscalls/sys_enter_" + call + "/id", "7\n");
    }
  }
  ~DoctorTest() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  Finding Of(const std::string& subject) {
    for (const Finding& finding : ExamineMachine(root_, system_)) {
      if (finding.subject == subject) return finding;
    }
    ADD_FAILURE() << "nothing is said of " << subject;
    return {};
  }
  void ExpectOk(const std::string& subject, const std::string& found = "") {
    const Finding finding = Of(subject);
    EXPECT_EQ(finding.verdict, Verdict::kOk) << subject << ": " << finding.found;
    EXPECT_THAT(finding.found, HasSubstr(found));
    EXPECT_THAT(finding.fix, IsEmpty());
  }
  void ExpectWarn(const std::string& subject, const std::string& found, const std::string& fix) {
    const Finding finding = Of(subject);
    EXPECT_EQ(finding.verdict, Verdict::kWarn) << subject << ": " << finding.found;
    EXPECT_THAT(finding.found, HasSubstr(found));
    EXPECT_THAT(finding.fix, HasSubstr(fix));
  }

  std::string root_;
  FakePerfSystem system_;
};

TEST_F(DoctorTest, FindsNothingWrongWithAGoodMachine) {
  for (const Finding& finding : ExamineMachine(root_, system_)) {
    EXPECT_EQ(finding.verdict, Verdict::kOk) << finding.subject << ": " << finding.found;
  }
  EXPECT_EQ(system_.OpenDescriptors(), 0);
}

TEST_F(DoctorTest, MissesAPmuAndSaysOnceWhyEventsDoNotCount) {
  std::filesystem::remove_all(root_ + "/sys/bus");
  system_.machine.core_pmus.clear();
  system_.refuse = [](const perf_event_attr& attributes, int) {
    return attributes.type == PERF_TYPE_SOFTWARE ? 0 : ENOENT;
  };
  ExpectWarn("PMU", "none", "callgrind");
  ExpectWarn("instructions", "no PMU", "");
  ExpectWarn("cycles", "as above", "");
  ExpectOk("task-clock", "perf");
}

TEST_F(DoctorTest, KnowsASuspectCounter) {
  system_.progress = [](const FakePerfSystem::Counter& counter, uint64_t ns) {
    const bool broken = counter.attributes.type == PERF_TYPE_HARDWARE &&
                        counter.attributes.config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
    return PerfCount{broken ? 0 : ns, ns, ns};
  };
  ExpectWarn("branches", "suspect", "");
}

TEST_F(DoctorTest, JudgesTheParanoidLevelByWhetherItBinds) {
  Write("/proc/sys/kernel/perf_event_paranoid", "3\n");
  ExpectWarn("perf_event_paranoid", "3", "sysctl kernel.perf_event_paranoid=1");
  Write("/proc/self/status", "Name:\tx\nCapEff:\t0000004000000000\n");
  ExpectOk("perf_event_paranoid", "does not bind");
  std::filesystem::remove(root_ + "/proc/sys/kernel/perf_event_paranoid");
  ExpectWarn("perf_event_paranoid", "no perf events", "CONFIG_PERF_EVENTS");
}

TEST_F(DoctorTest, WantsEveryCpuUnderThePerformanceGovernor) {
  const std::string folder = "/sys/devices/system/cpu/";
  Write(folder + "cpu0/cpufreq/scaling_governor", "performance\n");
  ExpectOk("governor", "performance");
  Write(folder + "cpu1/cpufreq/scaling_governor", "powersave\n");
  ExpectWarn("governor", "powersave", "cpupower");
}

TEST_F(DoctorTest, SaysWhyTheKernelDoesNotCountSyncs) {
  ExpectOk("sync tracepoints", "engines that do not count themselves");
  std::filesystem::remove_all(root_ + "/sys/kernel");
  ExpectWarn("sync tracepoints", "not counted: tracefs is not mounted", "");
}

TEST_F(DoctorTest, KnowsBothSwitchesOfTurbo) {
  const std::string folder = "/sys/devices/system/cpu/";
  Write(folder + "cpufreq/boost", "1\n");
  ExpectWarn("turbo", "on", "echo 0 > /sys/devices/system/cpu/cpufreq/boost");
  Write(folder + "cpufreq/boost", "0\n");
  ExpectOk("turbo", "off");
  Write(folder + "intel_pstate/no_turbo", "0\n");
  ExpectWarn("turbo", "on", "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo");
  Write(folder + "intel_pstate/no_turbo", "1\n");
  ExpectOk("turbo", "off");
}

TEST_F(DoctorTest, SeesSmtAndTheNmiWatchdog) {
  Write("/sys/devices/system/cpu/smt/active", "1\n");
  Write("/proc/sys/kernel/nmi_watchdog", "1\n");
  ExpectWarn("SMT", "on", "smt/control");
  ExpectWarn("NMI watchdog", "on", "kernel.nmi_watchdog=0");
  Write("/sys/devices/system/cpu/smt/active", "0\n");
  Write("/proc/sys/kernel/nmi_watchdog", "0\n");
  ExpectOk("SMT", "off");
  ExpectOk("NMI watchdog", "off");
}

TEST_F(DoctorTest, FindsTheSmallestQuotaOnTheWayUp) {
  Write("/proc/self/cgroup", "0::/slice/box\n");
  Write("/sys/fs/cgroup/slice/box/cpu.max", "max 100000\n");
  ExpectOk("CPU quota", "none");
  Write("/sys/fs/cgroup/slice/box/cpu.max", "200000 100000\n");
  Write("/sys/fs/cgroup/slice/cpu.max", "150000 100000\n");
  ExpectWarn("CPU quota", "1.50 CPUs", "raise the limit");
}

TEST_F(DoctorTest, KnowsTheQuotaOfVersionOne) {
  Write("/proc/self/cgroup", "4:memory:/box\n3:cpu,cpuacct:/box\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "-1\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  ExpectOk("CPU quota", "none");
  Write("/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "50000\n");
  ExpectWarn("CPU quota", "0.50 CPUs", "");
}

TEST_F(DoctorTest, MeasuresOtherLoadByTheNumberOfCpus) {
  Write("/proc/loadavg", "0.39 0 0 1/2 3\n");
  ExpectOk("other load", "on 2 CPUs");
  Write("/proc/loadavg", "0.41 0 0 1/2 3\n");
  ExpectWarn("other load", "0.41", "quiet");
}

Finding SyncFinding(const SyncTrial& trial) { return ExaminePlace("ext4 on /dev/vda", trial)[1]; }

SyncTrial GoodTrial() { return {"", 25, 300, "vda", 50, true, 25}; }

TEST(DoctorOfPlaces, KnowsASyncThatReachesItsDevice) {
  const Finding finding = SyncFinding(GoodTrial());
  EXPECT_EQ(finding.verdict, Verdict::kOk);
  EXPECT_THAT(finding.found, AllOf(HasSubstr("300 us"), HasSubstr("reaches vda")));
}

TEST(DoctorOfPlaces, KnowsADeviceThatSawTooFewWritesOrFlushes) {
  SyncTrial few_writes = GoodTrial();
  few_writes.writes = 3;
  EXPECT_EQ(SyncFinding(few_writes).verdict, Verdict::kWarn);
  EXPECT_THAT(SyncFinding(few_writes).found, HasSubstr("3 writes"));
  SyncTrial few_flushes = GoodTrial();
  few_flushes.flushes = 0;
  EXPECT_EQ(SyncFinding(few_flushes).verdict, Verdict::kWarn);
  EXPECT_THAT(SyncFinding(few_flushes).found, HasSubstr("0 flushes"));
  few_flushes.volatile_cache = false;
  EXPECT_EQ(SyncFinding(few_flushes).verdict, Verdict::kOk) << "nothing to flush";
}

TEST(DoctorOfPlaces, WithoutADeviceJudgesByTheTime) {
  EXPECT_EQ(SyncFinding({"", 25, 300, "", {}, false, {}}).verdict, Verdict::kOk);
  const Finding finding = SyncFinding({"", 25, 0.5, "", {}, false, {}});
  EXPECT_EQ(finding.verdict, Verdict::kWarn);
  EXPECT_THAT(finding.found, HasSubstr("no device is that fast"));
}

TEST(DoctorOfPlaces, CannotMeasureWhereNothingCanBeSynced) {
  const Finding finding = SyncFinding({"fdatasync: Input/output error", 0, 0, "", {}, false, {}});
  EXPECT_EQ(finding.verdict, Verdict::kFix);
  EXPECT_THAT(finding.found, HasSubstr("Input/output error"));
  EXPECT_THAT(finding.fix, HasSubstr("--database"));
}

TEST(DoctorOfPlaces, WarnsOfFileSystemsInMemory) {
  EXPECT_EQ(ExaminePlace("tmpfs on tmpfs", GoodTrial())[0].verdict, Verdict::kWarn);
  EXPECT_EQ(ExaminePlace("ext4 on /dev/vda", GoodTrial())[0].verdict, Verdict::kOk);
  EXPECT_EQ(ExaminePlace("", GoodTrial())[0].found, "unknown");
}

TEST(SyncTrial, SyncsInAFolderAndLeavesNothingThere) {
  std::string name = testing::TempDir() + "sync-XXXXXX";
  const std::string folder = mkdtemp(name.data());
  const SyncTrial trial = TrySyncs(folder);
  EXPECT_EQ(trial.error, "");
  EXPECT_GE(trial.syncs, 1);
  EXPECT_GT(trial.median_us, 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove(folder);
  EXPECT_THAT(TrySyncs(folder).error, HasSubstr("No such file or directory"));
}

class ThreadUsageTest : public DoctorTest {};

TEST_F(ThreadUsageTest, ReadsTheKernelsAccountsOfEachThread) {
  Write("/task/11/comm", "load-0\n");
  Write("/task/11/stat", "11 (a) b) S 1 2 3 4 5 6 70 8 9 10 11 12 13 14 20 0 1 0 100 5 6 7 8\n");
  Write("/task/11/status",
        "Name:\tload-0\nvoluntary_ctxt_switches:\t40\nnonvoluntary_ctxt_switches:\t2\n");
  Write("/task/11/sched", "load-0 (11)\nse.nr_migrations    :    3\n");
  Write("/task/12/comm", "bare\n");
  Write("/task/no-thread/comm", "x\n");
  const auto threads = ReadThreads(root_ + "/task");
  ASSERT_EQ(threads.size(), 2);
  const ThreadUsage& full = threads.at(11);
  EXPECT_EQ(full.name, "load-0");
  EXPECT_EQ(full.usage.minor_faults, 70);
  EXPECT_EQ(full.usage.major_faults, 9);
  EXPECT_EQ(full.usage.context_switches, 42);
  EXPECT_EQ(full.migrations, 3);
  EXPECT_EQ(threads.at(12).usage.cpu_ns, 0);
  EXPECT_FALSE(threads.at(12).migrations);
}

TEST_F(ThreadUsageTest, ReadsTheClockOfEachThreadUpToNow) {
  const auto of_this_thread = [] { return ReadThreads().at(gettid()).usage.cpu_ns; };
  const uint64_t before = ReadOwnThread().usage.cpu_ns;
  const uint64_t between = of_this_thread();
  const OwnUsage after = ReadOwnThread();
  EXPECT_EQ(after.number, gettid());
  EXPECT_LT(before, between) << "though no tick need have passed";
  EXPECT_LT(between, after.usage.cpu_ns);
}

}  // namespace
}  // namespace metrics
