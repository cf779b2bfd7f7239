#include "metrics/process_scope.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "tests/metrics/fake_perf_system.h"

namespace metrics {
namespace {

using testing::HasSubstr;

std::vector<EventGroup> Events(const std::string& list) {
  auto groups = ParseEvents(std::vector<std::string>{list});
  EXPECT_TRUE(groups) << groups.error();
  return *groups;
}

// Nothing opens: what remains is what the kernel accounts to the program.
class WithoutPerf : public FakePerfSystem {
 public:
  WithoutPerf() {
    refuse = [](const perf_event_attr&, int) { return ENOSYS; };
  }
};

TEST(ProcessScope, GivesTheExitStatusAndTheAccountsOfTheProgram) {
  WithoutPerf system;
  auto scope = ProcessScope::Launch({"/bin/sh", "-c",
                                     "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); "
                                     "done; exit 7"},
                                    Events("task-clock,page-faults,cpu-migrations"), {}, system);
  ASSERT_TRUE(scope) << scope.error();
  const auto outcome = (*scope)->Wait();
  ASSERT_TRUE(outcome) << outcome.error();
  ASSERT_TRUE(WIFEXITED(outcome->wait_status));
  EXPECT_EQ(WEXITSTATUS(outcome->wait_status), 7);
  EXPECT_GT(outcome->times.user_seconds + outcome->times.system_seconds, 0);
  ASSERT_EQ(outcome->readings.size(), 3);
  EXPECT_EQ(outcome->readings[0].source, "rusage");
  EXPECT_GT(outcome->readings[0].value, 0);
  EXPECT_GT(outcome->readings[1].value, 0);
  EXPECT_EQ(outcome->readings[2].status, CounterStatus::kNotSupported);
}

TEST(ProcessScope, OpensTheCountersOnTheChildForItsExec) {
  FakePerfSystem system;
  std::vector<FakePerfSystem::Counter> opened;
  system.refuse = [&](const perf_event_attr& attributes, int group) {
    opened.push_back({attributes, 0, group, false, {}});
    return 0;
  };
  auto scope = ProcessScope::Launch({"/bin/true"}, Events("{instructions,cycles}"), {}, system);
  ASSERT_TRUE(scope) << scope.error();
  ASSERT_EQ(system.counters.size(), 2) << "those of the self-test are closed";
  for (const auto& [descriptor, counter] : system.counters) {
    EXPECT_EQ(counter.process, (*scope)->pid());
    EXPECT_EQ(counter.attributes.inherit, 1);
    EXPECT_EQ(counter.attributes.enable_on_exec, counter.leader == descriptor);
    EXPECT_EQ(counter.attributes.disabled, counter.leader == descriptor);
  }
  for (auto& [descriptor, counter] : system.counters) counter.count = {1000, 60, 30};
  const auto outcome = (*scope)->Wait();
  ASSERT_TRUE(outcome) << outcome.error();
  EXPECT_EQ(outcome->readings.at(0).value, 2000) << "scaled";
}

TEST(ProcessScope, MarksWhatTheSelfTestSuspected) {
  FakePerfSystem system;
  system.progress = [](const FakePerfSystem::Counter&, uint64_t ns) {
    return PerfCount{0, ns, ns};
  };
  auto scope = ProcessScope::Launch({"/bin/true"}, Events("instructions"), {}, system);
  ASSERT_TRUE(scope) << scope.error();
  for (auto& [descriptor, counter] : system.counters) counter.count = {0, 60, 60};
  const auto outcome = (*scope)->Wait();
  EXPECT_EQ(outcome->readings.at(0).status, CounterStatus::kSuspect);
}

TEST(ProcessScope, RunsTheHookInTheChildOnly) {
  WithoutPerf system;
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  auto scope = ProcessScope::Launch(
      {"/bin/sh", "-c", "echo told"}, Events("task-clock"), [&] { dup2(ends[1], STDOUT_FILENO); },
      system);
  ASSERT_TRUE(scope) << scope.error();
  ASSERT_TRUE((*scope)->Wait());
  close(ends[1]);
  char text[16] = {};
  EXPECT_EQ(read(ends[0], text, sizeof text), 5);
  EXPECT_STREQ(text, "told\n");
  close(ends[0]);
}

TEST(ProcessScope, NamesAProgramThatCannotBeExecuted) {
  WithoutPerf system;
  const auto scope = ProcessScope::Launch({"/no/such/program"}, Events("task-clock"), {}, system);
  ASSERT_FALSE(scope);
  EXPECT_THAT(scope.error(), HasSubstr("/no/such/program: No such file or directory (ENOENT)"));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "no child is left";
}

TEST(ProcessScope, NoticesAChildThatEndsBeforeItsExec) {
  WithoutPerf system;
  const auto scope = ProcessScope::Launch(
      {"/bin/true"}, Events("task-clock"), [] { _exit(3); }, system);
  ASSERT_FALSE(scope);
  EXPECT_THAT(scope.error(), HasSubstr("before its exec"));
}

TEST(ProcessScope, TellsOfASignalThatEndedTheProgram) {
  WithoutPerf system;
  auto scope = ProcessScope::Launch({"/bin/sleep", "100"}, Events("task-clock"), {}, system);
  ASSERT_TRUE(scope) << scope.error();
  kill((*scope)->pid(), SIGTERM);
  const auto outcome = (*scope)->Wait();
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(WIFSIGNALED(outcome->wait_status));
}

TEST(ProcessScope, WaitingTwiceIsAnError) {
  WithoutPerf system;
  auto scope = ProcessScope::Launch({"/bin/true"}, Events("task-clock"), {}, system);
  ASSERT_TRUE(scope) << scope.error();
  EXPECT_TRUE((*scope)->Wait());
  EXPECT_FALSE((*scope)->Wait());
}

}  // namespace
}  // namespace metrics
