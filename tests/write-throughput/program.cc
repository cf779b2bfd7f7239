#include "tests/write-throughput/program.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <iterator>
#include <sstream>
#include <thread>

namespace throughput {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::minutes kPatience(5);

// Asks until the answer is yes, or patience ends.
template <typename Condition>
bool Await(const Condition& condition) {
  const auto end = Clock::now() + kPatience;
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The fields of /proc/PID/stat behind the name, the state being the first.
std::vector<std::string> Stat(pid_t process) {
  const std::string text = ReadAll("/proc/" + std::to_string(process) + "/stat");
  const size_t name_end = text.rfind(')');
  std::vector<std::string> fields;
  if (name_end == std::string::npos) return fields;
  std::istringstream rest(text.substr(name_end + 1));
  for (std::string field; rest >> field;) fields.push_back(field);
  return fields;
}

void Limit(int resource, std::optional<uint64_t> value) {
  if (!value) return;
  const rlimit limit{*value, *value};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

// Not to be undone, not even by the program that is executed.
void ForbidIoUring() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{std::size(filter), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(97);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) _exit(97);
}

// Mounts reach no further than the calling process and its children, and end with them.
bool HasOwnMounts() {
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

bool MountDisk(const std::string& folder, uint64_t bytes) {
  const std::string size = "size=" + std::to_string(bytes);
  return HasOwnMounts() && mount("disk", folder.c_str(), "tmpfs", 0, size.c_str()) == 0;
}

void Redirect(std::optional<int> descriptor, const std::string& file, int to) {
  const int from =
      descriptor ? *descriptor : open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  dup2(from, to);
}

[[noreturn]] void Execute(const std::vector<std::string>& arguments,
                          const ProgramSettings& settings, const TemporaryFolder& caught) {
  Redirect(settings.stdout_descriptor, caught / "out", STDOUT_FILENO);
  Redirect(settings.stderr_descriptor, caught / "err", STDERR_FILENO);
  if (settings.close_stdout) close(STDOUT_FILENO);
  if (settings.disk_bytes && !MountDisk(settings.folder, *settings.disk_bytes)) _exit(96);
  if (chdir(settings.folder.c_str()) != 0) _exit(99);
  // Under the thread sanitizer every process would sleep a second before it ends.
  const char* sanitizer = getenv("TSAN_OPTIONS");
  const std::string options = sanitizer == nullptr ? "" : std::string(sanitizer) + ":";
  setenv("TSAN_OPTIONS", (options + "atexit_sleep_ms=0").c_str(), 1);
  for (const auto& [name, value] : settings.environment) setenv(name.c_str(), value.c_str(), 1);
  Limit(RLIMIT_FSIZE, settings.file_size_limit);
  Limit(RLIMIT_NOFILE, settings.descriptor_limit);
  if (settings.forbid_io_uring) ForbidIoUring();
  if (settings.ignore_interrupts) signal(SIGINT, SIG_IGN);
  std::vector<char*> words = {const_cast<char*>("write-throughput")};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(WRITE_THROUGHPUT_PROGRAM, words.data());
  _exit(98);
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments, const ProgramSettings& settings) {
  pid_ = fork();
  if (pid_ == 0) Execute(arguments, settings, caught_);
}

Program::~Program() {
  if (waited_) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::optional<pid_t> Program::Cell() const {
  const std::string process = std::to_string(pid_);
  std::istringstream children(ReadAll("/proc/" + process + "/task/" + process + "/children"));
  pid_t child = 0;
  if (children >> child) return child;
  return std::nullopt;
}

std::optional<pid_t> Program::WaitForLoad() const {
  constexpr int kUserTime = 11;  // field of Stat, in ticks
  constexpr int kSystemTime = 12;
  std::optional<pid_t> cell;
  const bool loading = Await([&] {
    cell = Cell();
    const std::vector<std::string> stat = cell ? Stat(*cell) : std::vector<std::string>();
    if (stat.size() <= kSystemTime) return false;
    const long ticks = atol(stat[kUserTime].c_str()) + atol(stat[kSystemTime].c_str());
    return 10 * ticks > sysconf(_SC_CLK_TCK);
  });
  return loading ? cell : std::nullopt;
}

Finished Program::Wait() {
  int status = 0;
  if (!Await([&] { return waitpid(pid_, &status, WNOHANG) == pid_; })) {
    ADD_FAILURE() << "write-throughput did not end";
    kill(pid_, SIGKILL);
    waitpid(pid_, &status, 0);
  }
  waited_ = true;
  Finished finished;
  finished.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  finished.out = caught_.Read("out");
  finished.err = caught_.Read("err");
  return finished;
}

Finished RunProgram(const std::vector<std::string>& arguments, const ProgramSettings& settings) {
  return Program(arguments, settings).Wait();
}

// A killed process is a zombie as soon as its first thread has ended, while others may still be
// within a system call and hold its files.
bool Runs(pid_t process) {
  const std::vector<std::string> stat = Stat(process);
  if (stat.empty()) return false;
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/" + std::to_string(process) + "/task",
                                                    error);
  const bool has_others = !error && std::distance(begin(threads), end(threads)) > 1;
  return has_others || (stat[0] != "Z" && stat[0] != "X");
}

bool WaitUntilGone(pid_t process) {
  return Await([process] { return !Runs(process); });
}

size_t OpenDescriptors(pid_t process) {
  std::error_code error;
  const std::filesystem::directory_iterator all("/proc/" + std::to_string(process) + "/fd", error);
  return error ? 0 : static_cast<size_t>(std::distance(begin(all), end(all)));
}

bool CanMount() {
  const TemporaryFolder folder;
  const pid_t process = fork();
  if (process == 0) _exit(MountDisk(folder.path(), 1 << 20) ? 0 : 1);
  int status = 0;
  return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace throughput
