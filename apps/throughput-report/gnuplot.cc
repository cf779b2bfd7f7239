// Owns the child process. Its streams are files in memory, so that no pipe can fill up.
#include "apps/throughput-report/gnuplot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <vector>

#include "apps/results/text.h"

namespace throughput {
namespace {

constexpr int kPatienceMs = 30'000;

tl::unexpected<Failure> SystemFailure(int error) {
  return Failed("gnuplot: " + std::generic_category().message(error));
}

class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("gnuplot", MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd() const { return fd_; }

  bool Write(std::string_view text) {
    size_t done = 0;
    while (done < text.size()) {
      const ssize_t size = ::pwrite(fd_, text.data() + done, text.size() - done, off_t(done));
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) return false;
      done += static_cast<size_t>(size);
    }
    return true;
  }

  std::string Read() const {
    std::string text;
    std::array<char, 65536> block;
    ssize_t size = 0;
    while ((size = ::pread(fd_, block.data(), block.size(), off_t(text.size()))) > 0) {
      text.append(block.data(), static_cast<size_t>(size));
    }
    return text;
  }

 private:
  int fd_;
};

// Only what the program and its fonts need, so that no GNUPLOT_ or locale variable has a say.
std::vector<std::string> Environment() {
  std::vector<std::string> variables = {"LC_ALL=C.UTF-8"};
  for (const char* name : {"PATH", "HOME", "XDG_CACHE_HOME", "FONTCONFIG_PATH"}) {
    if (const char* value = std::getenv(name))
      variables.push_back(fmt::format("{}={}", name, value));
  }
  return variables;
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// 0 or an errno
int Spawn(const std::string& program, const std::array<int, 3>& streams, pid_t& pid) {
  std::vector<std::string> arguments = {program, "--default-settings"};
  std::vector<std::string> environment = Environment();
  posix_spawn_file_actions_t actions;
  if (const int error = ::posix_spawn_file_actions_init(&actions)) return error;
  int error = 0;
  for (int to = 0; to < 3 && error == 0; ++to) {
    error = ::posix_spawn_file_actions_adddup2(&actions, streams[static_cast<size_t>(to)], to);
  }
  if (error == 0) {
    error = ::posix_spawnp(&pid, program.c_str(), &actions, nullptr, Pointers(arguments).data(),
                           Pointers(environment).data());
  }
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

// The child's wait status; nothing where it had to be ended.
bool WaitFor(pid_t pid, int& status) {
  const auto handle = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  pollfd ended{handle, POLLIN, 0};
  int ready = 0;
  do {
    ready = handle < 0 ? -1 : ::poll(&ended, 1, kPatienceMs);
  } while (ready < 0 && errno == EINTR && handle >= 0);
  if (ready <= 0) ::kill(pid, SIGKILL);
  if (handle >= 0) ::close(handle);
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return ready > 0;
}

// The complaint itself: gnuplot shows the place in the script on the lines before it.
std::string LastLine(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const size_t start = text.rfind('\n');
  return Printable(start == std::string_view::npos ? text : text.substr(start + 1));
}

}  // namespace

Result<std::string> RunGnuplot(const std::string& script, const std::string& program) {
  MemoryFile input;
  MemoryFile output;
  MemoryFile errors;
  if (input.fd() < 0 || output.fd() < 0 || errors.fd() < 0) return SystemFailure(errno);
  if (!input.Write(script)) return SystemFailure(errno);
  pid_t pid = -1;
  const int error = Spawn(program, {input.fd(), output.fd(), errors.fd()}, pid);
  if (error == ENOENT) {
    return Refused(fmt::format("{} is missing, and pictures need it: apt-get install gnuplot-nox",
                               Printable(program)));
  }
  if (error != 0) return SystemFailure(error);
  int status = 0;
  if (!WaitFor(pid, status)) {
    return Failed(fmt::format("gnuplot took longer than {} s", kPatienceMs / 1000));
  }
  std::string drawn = output.Read();
  const std::string complaint = errors.Read();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !drawn.empty()) return drawn;
  return Failed("gnuplot: " + (complaint.empty() ? "drew nothing" : LastLine(complaint)));
}

}  // namespace throughput
