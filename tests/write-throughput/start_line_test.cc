#include "apps/write-throughput/start_line.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace throughput {
namespace {

void JoinAll(std::vector<std::thread>& threads) {
  for (std::thread& thread : threads) thread.join();
}

TEST(StartLineTest, OpensOnceBeforeAnyThreadGoesOn) {
  constexpr int kThreads = 8;
  std::atomic<int> opened{0};
  std::atomic<int> went_on_too_early{0};
  StartLine line(kThreads, [&] { opened.fetch_add(1); });
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      EXPECT_TRUE(line.Arrive());
      if (opened.load() != 1) went_on_too_early.fetch_add(1);
    });
  }
  JoinAll(threads);
  EXPECT_EQ(opened.load(), 1);
  EXPECT_EQ(went_on_too_early.load(), 0);
  EXPECT_EQ(line.Cancel(), kThreads) << "it has opened: too late to call it off";
}

TEST(StartLineTest, CalledOffItSendsHomeThoseThatCameAndThoseThatComeLater) {
  constexpr int kCame = 3;
  std::atomic<int> arriving{0};
  StartLine line(4, [] { FAIL() << "it must not open"; });
  std::vector<std::thread> threads;
  for (int i = 0; i < kCame; ++i) {
    threads.emplace_back([&] {
      arriving.fetch_add(1);
      EXPECT_FALSE(line.Arrive());
    });
  }
  while (arriving.load() < kCame) std::this_thread::yield();
  const int arrived = line.Cancel();
  EXPECT_GE(arrived, 0);
  EXPECT_LE(arrived, kCame);
  JoinAll(threads);
  EXPECT_FALSE(line.Arrive()) << "the fourth comes too late";
}

TEST(StartLineTest, OneThreadAloneOpensIt) {
  bool opened = false;
  StartLine line(1, [&] { opened = true; });
  EXPECT_TRUE(line.Arrive());
  EXPECT_TRUE(opened);
}

TEST(FinishLineTest, ClosesWhenTheLastArrivesAndReleasesNobodyBefore) {
  constexpr int kThreads = 8;
  std::atomic<int> arrived{0};
  std::atomic<int> arrived_at_close{-1};
  std::atomic<int> left_too_early{0};
  FinishLine line(kThreads, [&] { arrived_at_close.store(arrived.load()); });
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      arrived.fetch_add(1);
      line.Arrive();
      if (arrived_at_close.load() < 0) left_too_early.fetch_add(1);
    });
  }
  JoinAll(threads);
  EXPECT_EQ(arrived_at_close.load(), kThreads);
  EXPECT_EQ(left_too_early.load(), 0);
}

}  // namespace
}  // namespace throughput
