// Owns the child process, its streams and its end.
#include "apps/throughput-compare/run_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>

#include "apps/results/files.h"
#include "apps/results/text.h"
#include "apps/throughput-compare/interleaving.h"

namespace throughput {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// To report what was measured and to remove the database.
constexpr std::chrono::seconds kGrace{10};
constexpr int kNotStarted = 127;

std::string ErrorText(int error) { return std::generic_category().message(error); }

sigset_t EndingSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

int MillisecondsUntil(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 60'000));
}

void Redirect(const char* path, int flags, int to) {
  const int fd = ::open(path, flags | O_CLOEXEC, 0600);
  if (fd < 0 || ::dup2(fd, to) < 0) ::_exit(kNotStarted);
}

// Waits for the end of a child; sends it SIGTERM when an ending signal comes or the time is over,
// and SIGKILL when that does not help.
class Watch {
 public:
  Watch(int process, int signals, Clock::time_point deadline)
      : process_(process), signals_(signals), deadline_(deadline) {}

  void UntilEnd() {
    // Not pidfd_open: glibc 2.36 declares it as C++.
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, process_, 0));
    std::array<pollfd, 2> events{{{handle, POLLIN, 0}, {signals_, POLLIN, 0}}};
    while (handle >= 0) {
      const int ready = ::poll(events.data(), events.size(), MillisecondsUntil(deadline_));
      if (ready < 0 && errno != EINTR) break;
      if (ready > 0 && events[0].revents != 0) break;
      if (ready > 0 && events[1].revents != 0) TakeSignal();
      if (Clock::now() >= deadline_) EndInTime();
    }
    if (handle < 0) ::kill(process_, SIGKILL);
    if (handle >= 0) ::close(handle);
  }

  bool interrupted() const { return interrupted_; }
  bool late() const { return late_; }

 private:
  void TakeSignal() {
    signalfd_siginfo info{};
    if (::read(signals_, &info, sizeof info) != sizeof info) return;
    interrupted_ = true;
    Ask();
  }

  void EndInTime() {
    if (asked_) {
      ::kill(process_, SIGKILL);
      deadline_ = Clock::now() + kGrace;
      return;
    }
    late_ = true;
    Ask();
  }

  void Ask() {
    if (!asked_) deadline_ = Clock::now() + kGrace;
    asked_ = true;
    ::kill(process_, SIGTERM);
  }

  const int process_;
  const int signals_;
  Clock::time_point deadline_;
  bool asked_ = false;
  bool interrupted_ = false;
  bool late_ = false;
};

// What Run puts behind a command; the file's name follows.
constexpr std::array<std::string_view, 3> kOwnFlags = {"--format", "json", "-o"};

}  // namespace

std::vector<std::string> WithoutOwnFlags(std::vector<std::string> arguments) {
  constexpr std::ptrdiff_t kWords = kOwnFlags.size() + 1;
  if (std::ssize(arguments) < kWords) return arguments;
  const auto first = arguments.end() - kWords;
  if (std::equal(kOwnFlags.begin(), kOwnFlags.end(), first))
    arguments.erase(first, arguments.end());
  return arguments;
}

Result<CommandRunner> CommandRunner::Make(std::chrono::duration<double> limit) {
  std::error_code error;
  std::string folder = (fs::temp_directory_path(error) / "throughput-compare-XXXXXX").string();
  if (error || ::mkdtemp(folder.data()) == nullptr) {
    return Failed(
        fmt::format("{}: {}", Printable(folder), error ? error.message() : ErrorText(errno)));
  }
  const sigset_t set = EndingSignals();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  CommandRunner runner(limit, std::move(folder), ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (runner.signals_ < 0) return Failed("signalfd: " + ErrorText(errno));
  return runner;
}

CommandRunner::CommandRunner(CommandRunner&& other) noexcept
    : limit_(other.limit_), folder_(std::move(other.folder_)), signals_(other.signals_) {
  other.folder_.clear();
  other.signals_ = -1;
}

CommandRunner::~CommandRunner() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
  if (signals_ >= 0) ::close(signals_);
}

Result<std::vector<ReadRun>> CommandRunner::Run(const std::vector<std::string>& words,
                                                const std::string& name) {
  std::error_code ignored;
  fs::remove(ResultPath(), ignored);
  fs::remove(ErrorsPath(), ignored);
  const pid_t process = ::fork();
  if (process < 0) return Failed("fork: " + ErrorText(errno));
  if (process == 0) Become(words);
  const auto status = Await(process, name);
  if (!status) return tl::unexpected(status.error());
  if (auto fine = Judge(*status, name); !fine) return tl::unexpected(fine.error());
  if (!Exists(ResultPath())) {
    return Refused(fmt::format("{} '{}': ended without a record; a write-throughput is allowed",
                               name, Printable(words.front())));
  }
  auto runs = ReadResults({ResultPath()});
  if (!runs) return Refused(fmt::format("{} wrote no record: {}", name, runs.error().message));
  return runs;
}

// In a group of its own, so that Ctrl-C reaches it once: through this program.
void CommandRunner::Become(const std::vector<std::string>& words) const {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);
  Redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  Redirect(ErrorsPath().c_str(), O_WRONLY | O_CREAT | O_APPEND, STDOUT_FILENO);
  Redirect(ErrorsPath().c_str(), O_WRONLY | O_CREAT | O_APPEND, STDERR_FILENO);
  const sigset_t set = EndingSignals();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  std::vector<std::string> all = words;
  all.insert(all.end(), kOwnFlags.begin(), kOwnFlags.end());
  all.push_back(ResultPath());
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  ::_exit(kNotStarted);
}

// The status that waitpid gives.
Result<int> CommandRunner::Await(int process, const std::string& name) const {
  const auto limit = std::chrono::duration_cast<Clock::duration>(limit_);
  Watch watch(process, signals_, Clock::now() + limit);
  watch.UntilEnd();
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (watch.interrupted()) return tl::unexpected(Failure{kExitInterrupted, "interrupted"});
  if (watch.late()) {
    return Failed(
        fmt::format("{}: a run took longer than {} s (--run-limit)", name, limit_.count()));
  }
  return status;
}

Result<void> CommandRunner::Judge(int status, const std::string& name) const {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const auto errors = ReadFile(ErrorsPath());
  const auto lines = SplitLines(errors ? *errors : std::string_view());
  const std::string last = lines.empty() ? "it said nothing" : Printable(lines.back());
  if (!WIFEXITED(status)) {
    return Failed(fmt::format("{}: the program was ended by signal {}", name, WTERMSIG(status)));
  }
  const int code = WEXITSTATUS(status);
  if (code == kExitInterrupted) return tl::unexpected(Failure{code, "interrupted"});
  return tl::unexpected(Failure{code == kExitRefused ? kExitRefused : kExitFailed,
                                fmt::format("{}: exit code {}: {}", name, code, last)});
}

}  // namespace throughput
