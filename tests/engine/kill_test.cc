// kill -9 at random moments, on real files: a writer with eight threads dies again and again, and
// each time everything it had been acknowledged is there.
//
// BURIN_KILL_ROUNDS: how often each kind of writer is killed (default 2).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "tests/engine/kill_workload.h"
#include "tests/engine/temporary_folder.h"
#include "tests/engine/test_database.h"

namespace burin {
namespace {

using std::chrono::milliseconds;

int Rounds() {
  const char* const text = std::getenv("BURIN_KILL_ROUNDS");
  int rounds = 2;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), rounds);
  return rounds;
}

// The writer's process, and what it told.
class KilledWriter {
 public:
  KilledWriter(const std::string& database, const std::string& table, const std::string& mode) {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      execl(KILL_WRITER, KILL_WRITER, database.c_str(), table.c_str(), mode.c_str(), nullptr);
      _exit(127);
    }
    close(ends[1]);
    told_ = ends[0];
  }
  ~KilledWriter() { close(told_); }
  KilledWriter(const KilledWriter&) = delete;
  KilledWriter& operator=(const KilledWriter&) = delete;

  // Lets it write for so long after its first acknowledgement, then kills it. Answers how many
  // batches of each thread were acknowledged.
  std::vector<uint32_t> KillAfter(milliseconds delay) {
    EXPECT_TRUE(Read(std::chrono::seconds(30))) << "the writer acknowledged nothing";
    const auto end = std::chrono::steady_clock::now() + delay;
    while (std::chrono::steady_clock::now() < end) {
      Read(std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now()));
    }
    EXPECT_EQ(kill(pid_, SIGKILL), 0);
    int status = 0;
    EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
    EXPECT_TRUE(WIFSIGNALED(status)) << "it ended by itself, with " << WEXITSTATUS(status);
    while (Read(milliseconds(0))) {
    }
    return acknowledged_;
  }

 private:
  // One acknowledgement, if there comes one in time.
  bool Read(milliseconds wait) {
    pollfd ready{told_, POLLIN, 0};
    if (poll(&ready, 1, static_cast<int>(wait.count())) <= 0) return false;
    KillAcknowledgement told;
    const ssize_t bytes = read(told_, &told, sizeof told);
    if (bytes != sizeof told) return false;
    EXPECT_EQ(told.batch, acknowledged_.at(told.thread)) << "thread " << told.thread;
    acknowledged_[told.thread] = told.batch + 1;
    return true;
  }

  pid_t pid_ = 0;
  int told_ = -1;
  std::vector<uint32_t> acknowledged_ = std::vector<uint32_t>(kKillThreads);
};

// What may be there: the acknowledged batches, and what each thread had in flight.
void Expect(const std::string& table, const std::vector<uint32_t>& acknowledged, uint32_t in_flight,
            Oracle* oracle) {
  for (uint32_t thread = 0; thread < kKillThreads; ++thread) {
    const uint32_t submitted = acknowledged[thread] + in_flight;
    for (uint32_t batch = 0; batch < submitted; ++batch) {
      const size_t number = oracle->Submit(thread, KillBatch(table, thread, batch));
      if (batch < acknowledged[thread]) oracle->Acknowledge(thread, number);
    }
  }
}

class KillTest : public testing::TestWithParam<const char*> {};

TEST_P(KillTest, WhatWasAcknowledgedSurvivesEveryKill) {
  const std::string mode = GetParam();
  const bool io_uring = mode == "io_uring";  // pipelined, too
  if (const Status status = Engine::CheckIo(Io::kIoUring); io_uring && !status.ok()) {
    GTEST_SKIP() << status.message();
  }
  const uint32_t in_flight = mode == "pipelined" || io_uring ? kKillInFlight : 1;
  const TemporaryFolder folder;
  const std::string database = folder / "db";
  std::mt19937_64 random(std::random_device{}());
  std::vector<std::unique_ptr<Oracle>> rounds;
  for (int round = 0; round < Rounds() && !HasFailure(); ++round) {
    const std::string table = "round " + std::to_string(round);
    const milliseconds delay(random() % 150);
    SCOPED_TRACE(table + ", killed after " + std::to_string(delay.count()) + " ms");
    const auto acknowledged = KilledWriter(database, table, mode).KillAfter(delay);
    rounds.push_back(std::make_unique<Oracle>(kKillThreads));
    Expect(table, acknowledged, in_flight, rounds.back().get());
    EngineOptions options;
    options.segment_bytes = 1 << 20;
    auto engine = Engine::Open(database, options);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    EXPECT_FALSE((*engine)->recovery().clean);
    for (const auto& oracle : rounds) EXPECT_EQ(oracle->Check(**engine), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, KillTest,
                         testing::Values("exclusive", "serial", "concurrent", "pipelined",
                                         "io_uring"),
                         [](const auto& mode) { return std::string(mode.param); });

}  // namespace
}  // namespace burin
