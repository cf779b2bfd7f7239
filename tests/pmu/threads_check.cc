// Counters of oneTBB's threads: that inheritance reaches all of them, exactly.
#include <gmock/gmock.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "metrics/counter_session.h"
#include "tests/pmu/counted_loop.h"

namespace pmu {
namespace {

using metrics::CounterReading;

// Threads wait in read(), which costs the user the same few instructions whether it waits or not;
// a lock or a condition would cost more where it has to wait.
class Gate {
 public:
  Gate() { EXPECT_EQ(pipe(ends_.data()), 0); }
  ~Gate() {
    close(ends_[0]);
    close(ends_[1]);
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void LetPass(int threads) {
    constexpr std::array<char, 16> kTokens{};
    EXPECT_EQ(write(ends_[1], kTokens.data(), threads), threads);
  }
  void Pass() {
    char token = 0;
    EXPECT_EQ(read(ends_[0], &token, 1), 1);
  }

 private:
  std::array<int, 2> ends_{};
};

// One window for each of `turns`, in which `threads` of oneTBB run the loop; the last to finish
// closes it. The threads are made after the counters were opened, and stay from window to window.
std::vector<std::vector<CounterReading>> CountOnThreads(int threads,
                                                        const std::vector<uint64_t>& turns) {
  const auto session = metrics::CounterSession::Open(Events("{instructions:u,cycles:u}"));
  std::vector<Gate> starts(turns.size());  // a fast thread must not take a slow one's turn
  Gate stopped;
  Gate left;
  std::atomic<int> running = threads;
  const auto work = [&] {
    for (size_t i = 0; i < turns.size(); ++i) {
      starts[i].Pass();
      RunLoop(turns[i]);
      if (running.fetch_sub(1) == 1) {
        session->Stop();
        running = threads;
        stopped.LetPass(1);
      }
    }
    left.LetPass(1);
  };
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads + 1);
  tbb::task_arena arena(threads, 0);
  for (int i = 0; i < threads; ++i) arena.enqueue(work);
  std::vector<std::vector<CounterReading>> windows;
  for (size_t i = 0; i < turns.size(); ++i) {
    // Until all are back at the gate. The machine's time is made of its instructions, so this
    // suffices however slowly it runs.
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    session->Start();
    starts[i].LetPass(threads);
    stopped.Pass();
    windows.push_back(session->Readings());
  }
  for (int i = 0; i < threads; ++i) left.Pass();
  return windows;
}

// A process of its own for each number of threads: oneTBB keeps those that it has made.
void ExpectExactDifferences(int threads) {
  constexpr uint64_t kTurns = 1'000'000;
  const auto windows = CountOnThreads(threads, {kTurns, kTurns, kTurns, 3 * kTurns, kTurns});
  std::vector<double> instructions;
  for (const auto& window : windows) {
    instructions.push_back(window.at(0).value);
    EXPECT_EQ(window.at(1).value, kCyclesPerInstruction * window.at(0).value);
    EXPECT_EQ(window.at(0).status, metrics::CounterStatus::kCounted) << window.at(0).cause;
  }
  // In the first window functions of libraries are bound, and in the last those that are done go
  // home to oneTBB, where they spin.
  EXPECT_EQ(instructions[2] - instructions[1], 0);
  EXPECT_EQ(instructions[3] - instructions[2], 2 * kInstructionsPerTurn * kTurns * threads);
}

TEST(OneThread, DifferencesOfInstructionsAreExact) { ExpectExactDifferences(1); }

TEST(FourThreads, DifferencesOfInstructionsAreExact) { ExpectExactDifferences(4); }

TEST(Threads, ThatEndWithinTheWindowCount) {
  constexpr uint64_t kTurns = 1'000'000;
  const auto session = metrics::CounterSession::Open(Events("instructions:u"));
  session->Start();
  for (int i = 0; i < 3; ++i) std::thread([] { RunLoop(kTurns); }).join();
  session->Stop();
  const double due = 3 * kInstructionsPerTurn * kTurns;
  EXPECT_GT(session->Readings().at(0).value, due);
  EXPECT_LT(session->Readings().at(0).value, 1.05 * due);
}

}  // namespace
}  // namespace pmu
