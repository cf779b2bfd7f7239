#include "apps/write-throughput/targets/call_watch.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "apps/write-throughput/interposition/call_counts.h"

namespace throughput {
namespace {

constexpr std::chrono::seconds kSlowSync(1);
constexpr std::chrono::milliseconds kLongestSleep(500);
constexpr int kSlower = 10;

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
  auto last = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, sleep, [this] { return ended_; })) {
    const auto now = std::chrono::steady_clock::now();
    Look(now - last);
    last = now;
  }
}

void CallWatch::Look(std::chrono::nanoseconds passed) {
  const std::chrono::nanoseconds counted = Works(passed) ? passed / kSlower : passed;
  for (Caller& caller : callers_) {
    const char* name = caller.name_.load(std::memory_order_relaxed);
    const uint64_t calls = caller.calls_.load(std::memory_order_relaxed);
    const bool same = name != nullptr && calls == caller.seen_calls_;
    caller.seen_calls_ = calls;
    caller.waited_ = same ? caller.waited_ + counted : std::chrono::nanoseconds(0);
    if (caller.waited_ < deadline_) continue;
    give_up_(fmt::format("{}: {} did not return within {} ms (--timeout and {} s)", engine_, name,
                         deadline_.count(), kGrace.count() / 1000));
  }
}

// Since the last look, for a hundredth of the time at least: more may not be had on a busy machine.
bool CallWatch::Works(std::chrono::nanoseconds passed) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto time = [](const timeval& of) {
    return std::chrono::seconds(of.tv_sec) + std::chrono::microseconds(of.tv_usec);
  };
  const Work before = work_;
  work_ = {time(used.ru_utime) + time(used.ru_stime), used.ru_inblock + used.ru_oublock};
  return work_.cpu - before.cpu > passed / 100 || work_.blocks != before.blocks ||
         LongestSyncUnderWay() > kSlowSync;
}

}  // namespace throughput
