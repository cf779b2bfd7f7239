#include "metrics/machine.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

namespace metrics {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A folder that looks like / to InspectMachine.
class MachineTest : public testing::Test {
 protected:
  MachineTest() {
    std::string name = testing::TempDir() + "machine-XXXXXX";
    root_ = mkdtemp(name.data());
  }
  ~MachineTest() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void AddPmu(const std::string& name, const std::string& type, const std::string& file = "") {
    const std::string folder = "/sys/bus/event_source/devices/" + name;
    Write(folder + "/type", type + "\n");
    if (!file.empty()) Write(folder + "/" + file, "0-3\n");
  }

  std::string root_;
};

TEST_F(MachineTest, WithoutAnythingHasNoPerfEvents) {
  const Machine machine = InspectMachine(root_);
  EXPECT_TRUE(machine.core_pmus.empty());
  EXPECT_FALSE(machine.has_perf_events);
  EXPECT_FALSE(machine.may_profile);
  EXPECT_FALSE(machine.seccomp_filter);
}

TEST_F(MachineTest, ReadsParanoidSeccompAndCapabilities) {
  Write("/proc/sys/kernel/perf_event_paranoid", "-1\n");
  Write("/proc/self/status",
        "Name:\tprogram\nCapEff:\t0000004000000000\nNoNewPrivs:\t0\nSeccomp:\t2\n"
        "Seccomp_filters:\t1\n");
  const Machine machine = InspectMachine(root_);
  EXPECT_TRUE(machine.has_perf_events);
  EXPECT_EQ(machine.paranoid, -1);
  EXPECT_TRUE(machine.may_profile) << "CAP_PERFMON";
  EXPECT_TRUE(machine.seccomp_filter);
}

TEST_F(MachineTest, AnOrdinaryUserMayNotProfile) {
  Write("/proc/self/status", "Name:\tp\nCapEff:\t0000000000000000\nSeccomp:\t0\n");
  EXPECT_FALSE(InspectMachine(root_).may_profile);
  EXPECT_FALSE(InspectMachine(root_).seccomp_filter);
}

TEST_F(MachineTest, FindsTheOnePmuOfX86) {
  AddPmu("software", "1");
  AddPmu("cpu", "4");
  AddPmu("uncore_imc_0", "20", "cpumask");
  const Machine machine = InspectMachine(root_);
  ASSERT_EQ(machine.core_pmus.size(), 1);
  EXPECT_EQ(machine.core_pmus[0].name, "cpu");
  EXPECT_EQ(machine.core_pmus[0].type, 4);
}

TEST_F(MachineTest, FindsEachKindOfCore) {
  AddPmu("cpu_atom", "10", "cpus");
  AddPmu("cpu_core", "4", "cpus");
  AddPmu("msr", "9");
  const Machine machine = InspectMachine(root_);
  ASSERT_EQ(machine.core_pmus.size(), 2);
  EXPECT_EQ(machine.core_pmus[0].name, "cpu_core");
  EXPECT_EQ(machine.core_pmus[1].name, "cpu_atom");
  EXPECT_EQ(machine.core_pmus[1].type, 10);
}

Machine WithPmu() {
  Machine machine;
  machine.core_pmus = {{"cpu", 4}};
  machine.has_perf_events = true;
  machine.paranoid = 1;
  return machine;
}

TEST(ExplainOpenFailure, TellsThatThereIsNoPmu) {
  Machine machine = WithPmu();
  machine.core_pmus.clear();
  EXPECT_THAT(ExplainOpenFailure(ENOENT, true, machine), HasSubstr("no PMU (ENOENT)"));
  EXPECT_THAT(ExplainOpenFailure(EOPNOTSUPP, true, machine), HasSubstr("no PMU (EOPNOTSUPP)"));
  EXPECT_THAT(ExplainOpenFailure(ENOENT, false, machine), Not(HasSubstr("PMU")));
}

TEST(ExplainOpenFailure, TellsThatTheCpuLacksTheEvent) {
  for (const int error : {ENOENT, EINVAL, ENXIO, EOPNOTSUPP, ENODEV}) {
    EXPECT_THAT(ExplainOpenFailure(error, true, WithPmu()),
                AllOf(HasSubstr("CPU"), HasSubstr(ErrnoName(error)), HasSubstr("another event")));
  }
  EXPECT_THAT(ExplainOpenFailure(EINVAL, false, WithPmu()), HasSubstr("this kernel"));
}

TEST(ExplainOpenFailure, TellsParanoidFromSeccompFromASecurityModule) {
  Machine machine = WithPmu();
  machine.paranoid = 3;
  EXPECT_THAT(ExplainOpenFailure(EACCES, true, machine),
              HasSubstr("kernel.perf_event_paranoid is 3 (EACCES): set it to 1"));
  machine.seccomp_filter = true;
  EXPECT_THAT(ExplainOpenFailure(EPERM, true, machine), HasSubstr("seccomp"));
  EXPECT_THAT(ExplainOpenFailure(EACCES, true, machine), HasSubstr("paranoid"))
      << "a filter does not answer EACCES";
  EXPECT_THAT(ExplainOpenFailure(ENOSYS, true, machine), HasSubstr("seccomp"));
  machine.seccomp_filter = false;
  machine.may_profile = true;
  EXPECT_THAT(ExplainOpenFailure(EPERM, true, machine), HasSubstr("security module"));
  machine.paranoid = 1;
  EXPECT_THAT(ExplainOpenFailure(EACCES, true, machine), HasSubstr("security module"));
}

TEST(ExplainOpenFailure, TellsAKernelWithoutPerfEvents) {
  EXPECT_THAT(ExplainOpenFailure(ENOSYS, false, WithPmu()), HasSubstr("CONFIG_PERF_EVENTS"));
}

TEST(ExplainOpenFailure, NamesTheDescriptorLimit) {
  Machine machine = WithPmu();
  machine.descriptor_limit = 20;
  EXPECT_THAT(ExplainOpenFailure(EMFILE, true, machine),
              AllOf(HasSubstr("EMFILE"), HasSubstr("limit is 20"), HasSubstr("ulimit")));
  EXPECT_THAT(ExplainOpenFailure(ENFILE, true, machine), HasSubstr("fs.file-max"));
}

TEST(ExplainOpenFailure, NamesWhoeverHoldsThePmuAndAnythingElse) {
  EXPECT_THAT(ExplainOpenFailure(EBUSY, true, WithPmu()), HasSubstr("EBUSY"));
  EXPECT_EQ(ExplainOpenFailure(ENOMEM, true, WithPmu()),
            "perf_event_open failed (ENOMEM): Cannot allocate memory");
  EXPECT_THAT(ExplainOpenFailure(9999, true, WithPmu()), HasSubstr("errno 9999"));
}

TEST(ExplainOpenFailure, IsAlwaysOneLine) {
  for (int error = 1; error < 140; ++error) {
    for (const bool hardware : {false, true}) {
      EXPECT_THAT(ExplainOpenFailure(error, hardware, Machine()), Not(HasSubstr("\n")));
    }
  }
}

TEST(DescriptorLimit, IsRaisedToTheHardOne) {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit low = before;
  low.rlim_cur = 32;
  setrlimit(RLIMIT_NOFILE, &low);
  EXPECT_EQ(RaiseDescriptorLimit(), before.rlim_max);
  rlimit after{};
  getrlimit(RLIMIT_NOFILE, &after);
  EXPECT_EQ(after.rlim_cur, before.rlim_max);
  setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace metrics
