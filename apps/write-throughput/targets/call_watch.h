// Ends a cell in which a call to an engine never returns: a lock that another process holds for
// ever, a library that hangs. Such a call cannot be taken back, so the process has to end.
//
// A call is given up when it has waited for the deadline. While the process works, computing,
// reading or writing, or waits for the disk in a sync, the clock of all calls runs ten times
// slower: recovery of a large log is no hang, nor is a slow disk, which is what is being measured.
// Thread rule: a Caller belongs to one thread at a time, NewCaller to the one that connects.
// Invariant: no clock reading, lock or shared write within a call; the watching thread does all
// that.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace throughput {

class CallWatch {
 public:
  // Those of a connection, or of a database; each in one call at a time.
  class alignas(128) Caller {  // no cache line of another's
   public:
    // What `call` returns. `name`: a constant, as a message shows it.
    template <typename Call>
    auto operator()(const char* name, const Call& call) {
      Enter(name);
      const Leaver leaver{*this};
      return call();
    }

    // Within a call that takes its time: it does not hang.
    void Progress() {
      calls_.store(calls_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

   private:
    friend class CallWatch;
    struct Leaver {
      Caller& caller;
      ~Leaver() { caller.name_.store(nullptr, std::memory_order_relaxed); }
    };

    void Enter(const char* name) {
      Progress();
      name_.store(name, std::memory_order_relaxed);
    }

    std::atomic<const char*> name_{nullptr};  // of the call that it is in
    std::atomic<uint64_t> calls_{0};
    uint64_t seen_calls_ = 0;  // the watching thread's
    std::chrono::nanoseconds waited_{0};
  };

  using GiveUp = std::function<void(const std::string& why)>;

  // `timeout`: that of the load; a call is given kGrace more. `give_up` is called by the watching
  // thread and does not return; null: nothing is watched.
  CallWatch(std::string engine, std::chrono::milliseconds timeout, GiveUp give_up);
  ~CallWatch();
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;

  Caller& NewCaller();  // lives as long as the watch

  static constexpr std::chrono::milliseconds kGrace{2000};

 private:
  // What the process has done so far.
  struct Work {
    std::chrono::nanoseconds cpu{0};
    long blocks = 0;  // read and written
  };

  void Run();
  void Look(std::chrono::nanoseconds passed);
  bool Works(std::chrono::nanoseconds passed);

  const std::string engine_;
  const std::chrono::milliseconds deadline_;
  const GiveUp give_up_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  Work work_;  // at the last look
  std::deque<Caller> callers_;
  std::thread thread_;
};

}  // namespace throughput
