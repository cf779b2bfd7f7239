#include "engine/store/background_work.h"

#include <time.h>

#include <thread>

namespace burin {
namespace {

// What a task may write in a second when nobody else does.
constexpr uint64_t kBytesPerSecondAtRest = 32ULL << 20;
constexpr std::chrono::milliseconds kPause(2);

uint64_t ThreadCpuNanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

BackgroundTask::BackgroundTask(BackgroundCounts& counts, Kind kind, const BackgroundLimit* limit,
                               uint64_t share)
    : counts_(counts),
      running_(kind == Kind::kCheckpoint ? counts.checkpoints_running : counts.merges_running),
      limit_(limit),
      share_(share),
      begin_(std::chrono::steady_clock::now()),
      log_bytes_at_begin_(limit == nullptr ? 0 : limit->log_bytes()),
      cpu_ns_(ThreadCpuNanoseconds()) {
  ++running_;
}

BackgroundTask::~BackgroundTask() {
  CountCpu();
  --running_;
}

void BackgroundTask::Wrote(uint64_t bytes) {
  counts_.bytes += bytes - bytes_;
  bytes_ = bytes;
  CountCpu();
  while (AheadOfLimit()) std::this_thread::sleep_for(kPause);
}

bool BackgroundTask::AheadOfLimit() const {
  if (limit_ == nullptr || !limit_->holds()) return false;
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin_);
  const uint64_t at_rest = static_cast<uint64_t>(elapsed.count()) * kBytesPerSecondAtRest / 1000;
  return bytes_ > at_rest + share_ * (limit_->log_bytes() - log_bytes_at_begin_);
}

void BackgroundTask::CountCpu() {
  const uint64_t now = ThreadCpuNanoseconds();
  counts_.cpu_ns += now - cpu_ns_;
  cpu_ns_ = now;
}

}  // namespace burin
