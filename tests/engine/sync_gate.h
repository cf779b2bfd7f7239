// Holds up what a test wants to hold up: file calls of one kind wait at the gate while it is shut.
//
// Thread rule: any thread; Install before there are other threads. Open it, and install nothing
// else, before the engine ends.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "tests/engine/simulated_file_system.h"

namespace burin {

class SyncGate {
 public:
  // Which calls wait: those of this kind on paths with this part.
  void Install(SimulatedFileSystem* files, FileCall::Kind kind = FileCall::Kind::kSync,
               const std::string& path_part = "") {
    files->SetHook([this, kind, path_part](const FileCall& call) {
      const bool waits = call.kind == kind && call.path.find(path_part) != std::string::npos;
      return waits ? Pass() : Fault::kNone;
    });
  }

  void Shut() {
    const std::lock_guard guard(mutex_);
    shut_ = true;
  }

  // Who waits goes on, and answers `fault`.
  void Open(Fault fault = Fault::kNone) {
    const std::lock_guard guard(mutex_);
    shut_ = false;
    fault_ = fault;
    changed_.notify_all();
  }

  // One of those who wait goes on.
  void LetOnePass() {
    const std::lock_guard guard(mutex_);
    ++passes_;
    changed_.notify_all();
  }

  // Returns when so many calls wait. That they never come ends the program, as nothing else would.
  void AwaitWaiting(int count) {
    std::unique_lock lock(mutex_);
    const auto come = [&] { return waiting_ - passes_ >= count; };
    if (changed_.wait_for(lock, std::chrono::seconds(30), come)) return;
    std::fputs("nobody came to the gate\n", stderr);
    std::abort();
  }

 private:
  Fault Pass() {
    std::unique_lock lock(mutex_);
    if (!shut_) return Fault::kNone;
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !shut_ || passes_ > 0; });
    --waiting_;
    if (!shut_) return fault_;
    --passes_;
    return Fault::kNone;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool shut_ = false;
  int waiting_ = 0;
  int passes_ = 0;
  Fault fault_ = Fault::kNone;
};

}  // namespace burin
