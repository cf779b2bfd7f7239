#include "apps/write-throughput/targets/call_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/write-throughput/interposition/call_counts.h"

namespace throughput {
namespace {

using Clock = std::chrono::steady_clock;

// Longer than the deadline of a watch whose timeout is 0, however late it looks.
constexpr auto kTooLong = CallWatch::kGrace + std::chrono::seconds(1);

class CallWatchTest : public testing::Test {
 protected:
  std::string given_up() {
    const std::lock_guard lock(mutex_);
    return why_;
  }

  std::mutex mutex_;
  std::string why_;
  CallWatch watch_{"engine", std::chrono::milliseconds(0), [this](const std::string& why) {
                     const std::lock_guard lock(mutex_);
                     why_ = why;
                   }};
  CallWatch::Caller& caller_ = watch_.NewCaller();
};

TEST_F(CallWatchTest, ACallThatDoesNotReturnIsGivenUp) {
  EXPECT_EQ(caller_("begin", [] { return 7; }), 7);
  caller_("commit", [] { std::this_thread::sleep_for(kTooLong); });
  EXPECT_EQ(given_up(), "engine: commit did not return within 2000 ms (--timeout and 2 s)");
}

TEST_F(CallWatchTest, ACallThatMakesProgressIsNot) {
  caller_("scan", [this] {
    for (const auto end = Clock::now() + kTooLong; Clock::now() < end;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      caller_.Progress();
    }
  });
  EXPECT_EQ(given_up(), "");
}

TEST_F(CallWatchTest, NeitherIsOneThatWorksHard) {
  caller_("open", [] {
    for (const auto end = Clock::now() + kTooLong; Clock::now() < end;) continue;
  });
  EXPECT_EQ(given_up(), "");
}

TEST_F(CallWatchTest, NeitherIsOneWhileADiskTakesLongToSync) {
  std::atomic<bool> over{false};
  std::thread syncing([&over] {
    const std::chrono::nanoseconds since =
        (Clock::now() - std::chrono::seconds(2)).time_since_epoch();
    BeginSync(since.count());
    over.wait(false);
    EndSync(false, 0);
  });
  caller_("commit", [] { std::this_thread::sleep_for(kTooLong); });
  EXPECT_EQ(given_up(), "");
  over = true;
  over.notify_one();
  syncing.join();
  EXPECT_EQ(LongestSyncUnderWay().count(), 0);
}

TEST_F(CallWatchTest, NorTheTimeBetweenCalls) {
  std::this_thread::sleep_for(kTooLong);
  EXPECT_EQ(given_up(), "");
}

}  // namespace
}  // namespace throughput
