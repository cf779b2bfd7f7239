// The counters on the kernel that runs the tests, whatever it has: software events always have a
// figure, from perf or from its accounts.
#include <gmock/gmock.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "metrics/counter_selection.h"
#include "metrics/counter_session.h"
#include "metrics/process_scope.h"
#include "metrics/thread_session.h"

namespace metrics {
namespace {

std::vector<EventGroup> Events(const std::string& list) {
  return *ParseEvents(std::vector<std::string>{list});
}

std::map<std::string, CounterReading> ByName(const std::vector<CounterReading>& readings) {
  std::map<std::string, CounterReading> by_name;
  for (const CounterReading& reading : readings) by_name[reading.event] = reading;
  return by_name;
}

void TouchPages(size_t pages) {
  const size_t bytes = pages * 4096;
  auto* memory = static_cast<volatile char*>(
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  madvise(const_cast<char*>(memory), bytes, MADV_NOHUGEPAGE);
  for (size_t page = 0; page < pages; ++page) memory[page * 4096] = 1;
  munmap(const_cast<char*>(memory), bytes);
}

TEST(ThisKernel, CountsThreadsOfTheWindowThatHaveEnded) {
  const auto session = CounterSession::Open(Events("task-clock,page-faults,context-switches"));
  session->Start();
  std::thread([] { TouchPages(2000); }).join();
  session->Stop();
  auto readings = ByName(session->Readings());
  for (const auto& [name, reading] : readings) {
    EXPECT_EQ(reading.status, CounterStatus::kCounted) << name << ": " << reading.cause;
    EXPECT_EQ(reading.modifiers, "") << name;
  }
  EXPECT_GE(readings["page-faults"].value, 2000);
  EXPECT_GE(readings["context-switches"].value, 1) << "this thread waited";
  EXPECT_GT(readings["task-clock"].value, 0);
}

TEST(ThisKernel, CountsThreadsThatWereMadeBeforeTheWindow) {
  const auto session = CounterSession::Open(Events("page-faults"));
  std::atomic<int> stage = 0;
  std::thread worker([&] {
    TouchPages(20'000);  // outside the window
    stage = 1;
    stage.notify_all();
    stage.wait(1);
    TouchPages(1000);
    stage = 3;
    stage.notify_all();
    stage.wait(3);
  });
  stage.wait(0);
  session->Start();
  stage = 2;
  stage.notify_all();
  stage.wait(2);
  session->Stop();
  stage = 4;
  stage.notify_all();
  worker.join();
  const CounterReading faults = session->Readings().at(0);
  EXPECT_GE(faults.value, 1000);
  EXPECT_LT(faults.value, 10'000) << "with room for the memory of sanitizers";
}

TEST(ThisKernel, CountsEachThreadByItself) {
  std::atomic<int> stage = 0;
  const auto pass = [&](int next) {
    stage = next;
    stage.notify_all();
  };
  std::thread worker([&] {
    pthread_setname_np(pthread_self(), "worker");
    pass(1);
    stage.wait(1);
    TouchPages(1000);
    pass(3);
    stage.wait(3);
  });
  stage.wait(0);
  ThreadSession session(Events("page-faults,task-clock"));
  session.Open();
  session.EnableFirst();
  session.EnableLast();
  pass(2);
  stage.wait(2);
  session.DisableFirst();
  session.DisableLast();
  session.Read();
  pass(4);
  worker.join();
  std::map<std::string, std::map<std::string, CounterReading>> rows;
  for (const ThreadReadings& row : session.Readings()) rows[row.name] = ByName(row.counters);
  ASSERT_TRUE(rows.contains("worker"));
  EXPECT_GE(rows["worker"]["page-faults"].value, 1000);
  EXPECT_GT(rows["worker"]["task-clock"].value, 0);
  EXPECT_LT(rows["main"]["page-faults"].value, 500);
}

TEST(ThisKernel, IntervalsAddUp) {
  const auto session = CounterSession::Open(Events("task-clock,page-faults"));
  session->Start();
  double faults = 0;
  double clock = 0;
  for (int i = 0; i < 10; ++i) {
    TouchPages(10);
    const auto pieces = session->Sample();
    clock += pieces.at(0).value;
    faults += pieces.at(1).value;
  }
  session->Stop();
  const auto last = session->Sample();
  EXPECT_EQ(clock + last.at(0).value, session->Readings().at(0).value);
  EXPECT_EQ(faults + last.at(1).value, session->Readings().at(1).value);
}

TEST(ThisKernel, EitherCountsHardwareOrSaysWhyNot) {
  const auto session = CounterSession::Open(DefaultEvents());
  session->Start();
  TouchPages(10);
  session->Stop();
  const Selection selection = SelectShown(session->Readings(), CounterMode::kAuto);
  auto shown = ByName(selection.readings);
  EXPECT_TRUE(shown.contains("task-clock"));
  EXPECT_TRUE(shown.contains("cpu-migrations"));
  if (!shown.contains("instructions")) {
    EXPECT_THAT(selection.note, testing::MatchesRegex("hardware counters: .*\\(E.*\\): .*"));
  }
  for (const auto& [name, reading] : shown) {
    EXPECT_EQ(reading.cause.empty(), reading.status == CounterStatus::kCounted &&
                                         !(reading.hardware && reading.modifiers == "u"))
        << name;
  }
}

TEST(ThisKernel, ProcessScopeCountsTheLoaderToo) {
  auto scope = ProcessScope::Launch({"/bin/true"}, Events("task-clock,page-faults"));
  ASSERT_TRUE(scope) << scope.error();
  const auto outcome = (*scope)->Wait();
  ASSERT_TRUE(outcome) << outcome.error();
  EXPECT_GT(outcome->readings.at(0).value, 0);
  EXPECT_GT(outcome->readings.at(1).value, 20);
  EXPECT_GT(outcome->seconds, 0);
}

TEST(ThisKernel, ListsSomeEventsUnlessPerfIsClosed) {
  for (const ListedEvent& event : ListEvents("faults")) {
    EXPECT_TRUE(ParseEvents(std::vector<std::string>{event.name})) << event.name;
  }
}

}  // namespace
}  // namespace metrics
