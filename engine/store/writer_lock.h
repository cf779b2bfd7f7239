// The lock of the modes with one writer: taken at begin, given back by whichever thread ends the
// transaction, waited for with a limit.
//
// Thread rule: any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace burin {

class WriterLock {
 public:
  // False: not had within `timeout`.
  bool Acquire(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    if (!free_.wait_for(lock, timeout, [this] { return !held_; })) return false;
    held_ = true;
    return true;
  }

  void Release() {
    {
      const std::lock_guard lock(mutex_);
      held_ = false;
    }
    free_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable free_;
  bool held_ = false;
};

}  // namespace burin
