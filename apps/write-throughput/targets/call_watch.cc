#include "apps/write-throughput/targets/call_watch.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <utility>

#include "apps/write-throughput/interposition/call_counts.h"

namespace throughput {
namespace {

constexpr std::chrono::seconds kSlowSync(1);
constexpr std::chrono::milliseconds kLongestSleep(500);

}  // namespace

CallWatch::CallWatch(std::string engine, std::chrono::milliseconds timeout, GiveUp give_up)
    : engine_(std::move(engine)), deadline_(timeout + kGrace), give_up_(std::move(give_up)) {
  if (give_up_ != nullptr) thread_ = std::thread([this] { Run(); });
}

CallWatch::~CallWatch() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  if (thread_.joinable()) thread_.join();
}

CallWatch::Caller& CallWatch::NewCaller() {
  const std::lock_guard lock(mutex_);
  return callers_.emplace_back();
}

void CallWatch::Run() {
  pthread_setname_np(pthread_self(), "call-watch");
  const auto sleep = std::min(kLongestSleep, deadline_ / 8);
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, sleep, [this] { return ended_; })) Look(Clock::now());
}

void CallWatch::Look(Clock::time_point now) {
  const bool disk_is_slow = LongestSyncUnderWay() > kSlowSync;
  for (Caller& caller : callers_) {
    const char* name = caller.name_.load(std::memory_order_relaxed);
    const uint64_t calls = caller.calls_.load(std::memory_order_relaxed);
    if (name == nullptr || calls != caller.seen_calls_ || disk_is_slow) {
      caller.seen_calls_ = calls;
      caller.seen_at_ = now;
    } else if (now - caller.seen_at_ >= deadline_) {
      give_up_(fmt::format("{}: {} did not return within {} ms (--timeout and {} s)", engine_, name,
                           deadline_.count(), kGrace.count() / 1000));
    }
  }
}

}  // namespace throughput
