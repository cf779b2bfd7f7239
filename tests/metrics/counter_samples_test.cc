// The pieces of a window that --interval shows.
#include <map>

#include "tests/metrics/counter_session_fixture.h"

namespace metrics {
namespace {

TEST_F(CounterSessionTest, SamplesAddUpToTheTotalExactly) {
  // Another share of the PMU in each interval.
  uint64_t step = 0;
  system_.progress = [&](const FakePerfSystem::Counter&, uint64_t ns) {
    return PerfCount{ns * 7 + step, ns, ns / (1 + step % 5)};
  };
  const auto session = Open({"instructions,task-clock"});
  session->Start();
  std::vector<double> sums(2);
  std::vector<uint64_t> enabled(2);
  std::vector<uint64_t> running(2);
  const auto add = [&](const std::vector<CounterReading>& pieces) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      sums[i] += pieces[i].value;
      enabled[i] += pieces[i].enabled_ns;
      running[i] += pieces[i].running_ns;
    }
  };
  for (step = 1; step < 100; ++step) {
    system_.Run(1000 + step * 37);
    add(session->Sample());
  }
  system_.Run(55);
  session->Stop();
  add(session->Sample());
  const auto total = session->Readings();
  for (size_t i = 0; i < total.size(); ++i) {
    EXPECT_EQ(sums[i], total[i].value);
    EXPECT_EQ(enabled[i], total[i].enabled_ns);
    EXPECT_EQ(running[i], total[i].running_ns);
  }
  EXPECT_LT(total[0].running_ns, total[0].enabled_ns);
}

TEST_F(CounterSessionTest, SamplesOfANewWindowBeginAnew) {
  const auto session = Open({"instructions"});
  session->Start();
  system_.Run(100);
  session->Sample();
  session->Stop();
  session->Start();
  system_.Run(30);
  EXPECT_EQ(session->Sample().at(0).value, 30);
  session->Stop();
}

TEST_F(CounterSessionTest, AnIntervalOffThePmuIsNotCountedInIt) {
  bool on = true;
  system_.progress = [&](const FakePerfSystem::Counter&, uint64_t ns) {
    return PerfCount{on ? ns : 0, ns, on ? ns : 0};
  };
  const auto session = Open({"instructions"});
  session->Start();
  system_.Run(100);
  EXPECT_EQ(session->Sample().at(0).status, CounterStatus::kCounted);
  on = false;
  system_.Run(100);
  const CounterReading piece = session->Sample().at(0);
  EXPECT_EQ(piece.status, CounterStatus::kNotCounted);
  EXPECT_EQ(piece.running_ns, 0);
  session->Stop();
  EXPECT_EQ(session->Readings().at(0).status, CounterStatus::kCounted);
  EXPECT_EQ(session->Readings().at(0).value, 200);
}

TEST_F(CounterSessionTest, AnIntervalInWhichNobodyRanCountsZero) {
  const auto session = Open({"instructions"});
  session->Start();
  const CounterReading piece = session->Sample().at(0);
  EXPECT_EQ(piece.status, CounterStatus::kCounted);
  EXPECT_EQ(piece.value, 0);
  session->Stop();
}

}  // namespace
}  // namespace metrics
