// Fork, open the counters on the child while it waits, let it go.
//
// They talk over a pair of sockets: the parent says that the counters are open; the child answers
// with what it had used up just before the exec, and with an errno if that failed. A successful
// exec closes the child's end.
#include "metrics/process_scope.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "metrics/counter_set.h"

namespace metrics {
namespace {

// One of two ends of a connection; closed by an exec.
class Channel {
 public:
  explicit Channel(int end = -1) : end_(end) {}
  ~Channel() {
    if (end_ >= 0) close(end_);
  }
  Channel(Channel&& other) noexcept : end_(std::exchange(other.end_, -1)) {}
  Channel& operator=(Channel&& other) noexcept {
    std::swap(end_, other.end_);
    return *this;
  }

  // Whether a whole value went through; false when the other side has ended.
  template <typename T>
  bool Receive(T& value) const {
    ssize_t got = 0;
    do {
      got = recv(end_, &value, sizeof value, MSG_WAITALL);
    } while (got < 0 && errno == EINTR);
    return got == sizeof value;
  }
  template <typename T>
  bool Send(const T& value) const {
    ssize_t sent = 0;
    do {
      sent = send(end_, &value, sizeof value, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == sizeof value;
  }

 private:
  int end_;
};

std::string Failed(const char* call, int error) {
  const char* text = strerrordesc_np(error);
  return fmt::format("{}: {} ({})", call, text != nullptr ? text : "unknown error",
                     ErrnoName(error));
}

[[noreturn]] void RunChild(std::vector<char*>& argv, const std::function<void()>& in_child,
                           const Channel& parent) {
  if (in_child) in_child();
  char go = 0;
  if (!parent.Receive(go)) _exit(127);  // the parent is gone
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  if (!parent.Send(used)) _exit(127);
  execv(argv.front(), argv.data());
  const int error = errno;
  parent.Send(error);
  _exit(127);
}

rusage operator-(const rusage& later, const rusage& earlier) {
  rusage difference = later;
  timersub(&later.ru_utime, &earlier.ru_utime, &difference.ru_utime);
  timersub(&later.ru_stime, &earlier.ru_stime, &difference.ru_stime);
  difference.ru_minflt -= earlier.ru_minflt;
  difference.ru_majflt -= earlier.ru_majflt;
  difference.ru_nvcsw -= earlier.ru_nvcsw;
  difference.ru_nivcsw -= earlier.ru_nivcsw;
  return difference;
}

}  // namespace

class ProcessScope::Impl {
 public:
  Impl(pid_t pid, const std::vector<EventGroup>& groups, const CounterSet& tested,
       PerfSystem& system)
      : pid_(pid),
        set_(groups, {.process = pid, .enable_on_exec = true, .migrations_fallback = false},
             system) {
    set_.SuspectAs(tested);
  }

  pid_t pid() const { return pid_; }

  void Begin() { from_ = set_.Read(CounterSet::Edge::kBegin); }
  void SetUsedBefore(const rusage& used) { used_before_ = used; }

  tl::expected<Outcome, std::string> Wait() {
    Outcome outcome;
    rusage usage{};
    pid_t ended = 0;
    do {
      ended = wait4(pid_, &outcome.wait_status, 0, &usage);
    } while (ended < 0 && errno == EINTR);
    if (ended < 0) return tl::unexpected(Failed("wait4", errno));
    CounterSnapshot to = set_.Read(CounterSet::Edge::kEnd);
    usage = usage - used_before_;
    from_.usage = {};
    to.usage = ProcessUsage::Of(usage);
    outcome.seconds = static_cast<double>(to.monotonic_ns - from_.monotonic_ns) / 1e9;
    outcome.times = ProcessTimes::Of(usage);
    outcome.readings = set_.Readings(from_, to);
    return outcome;
  }

 private:
  const pid_t pid_;
  CounterSet set_;
  CounterSnapshot from_;
  rusage used_before_{};
};

ProcessScope::ProcessScope(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ProcessScope::~ProcessScope() = default;

tl::expected<std::unique_ptr<ProcessScope>, std::string> ProcessScope::Launch(
    const std::vector<std::string>& arguments, const std::vector<EventGroup>& groups,
    const std::function<void()>& in_child, PerfSystem& system) {
  std::vector<std::string> words = arguments;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  CounterSet tested(groups, {.inherit = false}, system);
  tested.SelfTest();
  std::array<int, 2> ends;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return tl::unexpected(Failed("socketpair", errno));
  }
  Channel child(ends[0]);
  Channel parent(ends[1]);
  const pid_t pid = fork();
  if (pid < 0) return tl::unexpected(Failed("fork", errno));
  if (pid == 0) {
    child = Channel();
    RunChild(argv, in_child, parent);
  }
  parent = Channel();

  auto impl = std::make_unique<Impl>(pid, groups, tested, system);
  impl->Begin();
  rusage used{};
  int error = 0;
  if (!child.Send('g') || !child.Receive(used) || child.Receive(error)) {
    waitpid(pid, nullptr, 0);
    if (error == 0) return tl::unexpected(std::string("the program ended before its exec"));
    return tl::unexpected(Failed(arguments.front().c_str(), error));
  }
  impl->SetUsedBefore(used);
  return std::unique_ptr<ProcessScope>(new ProcessScope(std::move(impl)));
}

pid_t ProcessScope::pid() const { return impl_->pid(); }

tl::expected<ProcessScope::Outcome, std::string> ProcessScope::Wait() { return impl_->Wait(); }

}  // namespace metrics
