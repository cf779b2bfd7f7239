#include "apps/write-throughput/load.h"

#include <errno.h>
#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

#include "apps/write-throughput/start_line.h"

#ifdef __SANITIZE_THREAD__
// What oneTBB does inside is out of the thread sanitizer's sight, and so is why it is right.
extern "C" const char* __tsan_default_suppressions();  // NOLINT: the sanitizer's name
extern "C" const char* __tsan_default_suppressions() { return "called_from_lib:libtbb.so"; }
#endif

namespace throughput {
namespace {

// Wakes the watching thread: readable from the first Notify to the next Clear.
class Wakeup {
 public:
  Wakeup() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~Wakeup() { close(descriptor_); }
  Wakeup(const Wakeup&) = delete;
  Wakeup& operator=(const Wakeup&) = delete;

  int descriptor() const { return descriptor_; }
  void Notify() { eventfd_write(descriptor_, 1); }
  void Clear() {
    eventfd_t count;
    eventfd_read(descriptor_, &count);
  }

 private:
  int descriptor_;
};

}  // namespace

// Owned together with the tasks: one that never got a thread may outlive the Load.
struct Load::Shared {
  Shared(const LoadPlan& load_plan, WindowHooks hooks)
      : plan(load_plan),
        warmup_line(plan.layout.threads, [] {}),
        start_line(plan.layout.threads, [this] { OpenWindow(); }),
        finish_line(plan.layout.threads, hooks.close),
        open_hook(std::move(hooks.open)) {}

  void OpenWindow() {
    open_hook();
    opened_at = Clock::now();
    opened.store(true, std::memory_order_release);
    if (notify_of_opening) wakeup.Notify();
  }

  // A load thread's whole life. `threads` is touched only behind the lines, as whoever comes after
  // the load was called off must not.
  void Work(int index) {
    entered.fetch_add(1);
    pthread_setname_np(pthread_self(), fmt::format("load-{}", index).c_str());
    std::optional<PhaseMeter> meter;
    if (plan.phases) meter.emplace();
    const bool warm = plan.warmup.count() == 0 || warmup_line.Arrive();
    if (warm && plan.warmup.count() != 0) threads[index]->RunPhase(Phase::kWarmup);
    if (warm && start_line.Arrive()) {
      threads[index]->RunPhase(Phase::kMeasured, meter ? &*meter : nullptr);
      finish_line.Arrive();
    }
    left.fetch_add(1);
    wakeup.Notify();
  }

  // The line at which threads start; the other one follows it once they run.
  StartLine& first_line() { return plan.warmup.count() == 0 ? start_line : warmup_line; }

  const LoadPlan plan;
  LoadControl control;
  std::vector<std::unique_ptr<LoadThread>> threads;
  StartLine warmup_line;
  StartLine start_line;
  FinishLine finish_line;
  std::function<void()> open_hook;
  Wakeup wakeup;
  bool notify_of_opening = false;
  Clock::time_point opened_at;
  std::atomic<bool> opened{false};
  std::atomic<int> entered{0};  // tasks that a thread has begun
  std::atomic<int> left{0};     // and ended
};

// What oneTBB runs. It hands a task to another thread with synchronization of its own, which the
// thread sanitizer cannot see inside the library; the flag says the same in its sight.
class Load::Task {
 public:
  Task(std::shared_ptr<Shared> shared, int index) : shared_(std::move(shared)), index_(index) {}
  Task(const Task& other) : shared_(other.shared_), index_(other.index_) {
    complete_.store(true, std::memory_order_release);
  }
  Task& operator=(const Task&) = delete;

  void operator()() const {
    if (complete_.load(std::memory_order_acquire)) shared_->Work(index_);
  }

 private:
  std::shared_ptr<Shared> shared_;
  int index_;
  std::atomic<bool> complete_{false};
};

class Load::Watcher {
 public:
  Watcher(Shared& shared, const Watch& watch) : shared_(shared), watch_(watch) {}

  // `deadline`: for all threads to stand at the first line.
  LoadResult Run(Clock::time_point deadline) {
    bool starting = true;
    while (!AllLeft()) {
      Sleep(starting ? std::min(deadline, NextTick()) : NextTick());
      if (starting && Clock::now() >= deadline) {
        CheckStarted();
        starting = false;
      }
      Tick();
    }
    result_.measured = shared_.opened.load(std::memory_order_acquire);
    if (!result_.failure) result_.failure = shared_.control.failure();
    return result_;
  }

 private:
  // Called off, those that entered leave at once, and nobody waits for those that never will.
  bool AllLeft() const {
    const int left = shared_.left.load();
    if (left == shared_.plan.layout.threads) return true;
    return called_off_ && left == shared_.entered.load();
  }

  void CheckStarted() {
    const int threads = shared_.plan.layout.threads;
    const int started = shared_.first_line().Cancel();
    if (started >= threads) return;
    CallOff();
    result_.failure =
        fmt::format("{} of {} load threads started within {} s", started, threads,
                    std::chrono::duration<double>(shared_.plan.start_deadline).count());
  }

  void CallOff() {
    called_off_ = true;
    shared_.control.Stop();
    shared_.warmup_line.Cancel();
    shared_.start_line.Cancel();
  }

  void Sleep(Clock::time_point until) {
    pollfd descriptors[] = {{shared_.wakeup.descriptor(), POLLIN, 0},
                            {result_.interrupted ? -1 : watch_.stop_descriptor, POLLIN, 0}};
    timespec time{};
    const timespec* timeout = nullptr;
    if (until != Clock::time_point::max()) {
      const auto left =
          std::max<int64_t>(0, std::chrono::nanoseconds(until - Clock::now()).count());
      time = {left / 1'000'000'000, left % 1'000'000'000};
      timeout = &time;
    }
    if (ppoll(descriptors, 2, timeout, nullptr) <= 0) return;
    if (descriptors[0].revents != 0) shared_.wakeup.Clear();
    if (descriptors[1].revents != 0) {
      result_.interrupted = true;
      CallOff();
    }
  }

  bool opened() const { return shared_.opened.load(std::memory_order_acquire); }

  Clock::time_point NextTick() const {
    if (!opened()) return Clock::time_point::max();
    auto next = Clock::time_point::max();
    for (size_t i = 0; i < watch_.tickers.size(); ++i) next = std::min(next, TickTime(i));
    return next;
  }

  Clock::time_point TickTime(size_t ticker) const {
    return shared_.opened_at + watch_.tickers[ticker].period * (ticks_[ticker] + 1);
  }

  // A tick that comes late is not made up for: the next ones stay in their places.
  void Tick() {
    if (!opened()) return;
    for (size_t i = 0; i < watch_.tickers.size(); ++i) {
      const Clock::time_point now = Clock::now();
      if (now < TickTime(i)) continue;
      watch_.tickers[i].tick(Sample(now));
      ticks_[i] = (now - shared_.opened_at) / watch_.tickers[i].period;
    }
  }

  LoadSample Sample(Clock::time_point now) const {
    LoadSample sample{now - shared_.opened_at, 0};
    for (const auto& thread : shared_.threads) sample.transactions += thread->transactions();
    return sample;
  }

  Shared& shared_;
  const Watch& watch_;
  LoadResult result_;
  bool called_off_ = false;
  std::vector<int64_t> ticks_ = std::vector<int64_t>(watch_.tickers.size());  // done per ticker
};

Load::Load(const LoadPlan& plan, const Values& values,
           std::vector<std::unique_ptr<Connection>> connections, WindowHooks hooks)
    : shared_(std::make_shared<Shared>(plan, std::move(hooks))) {
  for (int i = 0; i < plan.layout.threads; ++i) {
    shared_->threads.push_back(std::make_unique<LoadThread>(
        shared_->plan, i, values, std::move(connections[i]), shared_->control));
  }
}

Load::~Load() { shared_->threads.clear(); }

LoadResult Load::Run(const Watch& watch) {
  const int threads = shared_->plan.layout.threads;
  // Before the first thread: making one may block, too.
  const Clock::time_point deadline = Clock::now() + shared_->plan.start_deadline;
  shared_->notify_of_opening = !watch.tickers.empty();
  const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                          threads + 1);
  oneapi::tbb::task_arena arena(threads, 0);
  for (int i = 0; i < threads; ++i) {
    arena.enqueue(Task(shared_, i));
  }
  LoadResult result = Watcher(*shared_, watch).Run(deadline);
  if (!result.measured) return result;
  const auto [first, last] = std::minmax_element(
      shared_->threads.begin(), shared_->threads.end(),
      [](const auto& a, const auto& b) { return a->started_at() < b->started_at(); });
  result.start_skew_us =
      std::chrono::duration<double, std::micro>((*last)->started_at() - (*first)->started_at())
          .count();
  return result;
}

const std::vector<std::unique_ptr<LoadThread>>& Load::threads() const { return shared_->threads; }

}  // namespace throughput
