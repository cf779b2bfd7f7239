#include "apps/write-throughput/cell_process.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <exception>
#include <memory>

#include "apps/write-throughput/cell_messages.h"
#include "apps/write-throughput/messages.h"
#include "apps/write-throughput/report/text.h"
#include "apps/write-throughput/secrets.h"
#include "metrics/process_scope.h"

namespace throughput {
namespace {

constexpr int kExitOfLostErrand = 126;
constexpr const char* kErrandVariable = "WRITE_THROUGHPUT_CELL";

bool WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Of the file that LeaveErrand wrote, each ended by a zero; closes it.
std::vector<std::string> ReadWords(int file) {
  std::string text;
  char bytes[4096];
  off_t at = 0;
  for (ssize_t got = 0; (got = pread(file, bytes, sizeof bytes, at)) > 0; at += got) {
    text.append(bytes, static_cast<size_t>(got));
  }
  close(file);
  std::vector<std::string> words;
  for (size_t start = 0; start < text.size(); start += words.back().size() + 1) {
    words.emplace_back(text.c_str() + start);
  }
  return words;
}

class Pipe {
 public:
  Pipe() { valid_ = pipe2(ends_, O_CLOEXEC) == 0; }
  ~Pipe() {
    CloseReadEnd();
    CloseWriteEnd();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool valid() const { return valid_; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void CloseReadEnd() { Close(ends_[0]); }
  void CloseWriteEnd() { Close(ends_[1]); }

 private:
  static void Close(int& descriptor) {
    if (descriptor >= 0) close(descriptor);
    descriptor = -1;
  }

  int ends_[2] = {-1, -1};
  bool valid_ = false;
};

// In the new process. Stdout belongs to the rows: what an engine prints goes to stderr.
void TieToStarter(pid_t starter) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != starter) _exit(1);  // it died before the order was in place
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

// Reads what the cell tells until its end of the pipe is closed. False: the cell was killed.
bool Listen(int descriptor, pid_t cell, Interrupt& interrupt, CellMessageReader& reader) {
  constexpr int kSignalsThatKill = 3;
  int signals = 0;
  char bytes[1 << 16];
  for (;;) {
    pollfd descriptors[] = {{descriptor, POLLIN, 0}, {interrupt.descriptor(), POLLIN, 0}};
    if (poll(descriptors, 2, -1) < 0) continue;
    while (interrupt.Take()) kill(cell, ++signals < kSignalsThatKill ? kStopCell : SIGKILL);
    if (descriptors[0].revents == 0) continue;
    const ssize_t got = read(descriptor, bytes, sizeof bytes);
    if (got > 0) {
      reader.Add({bytes, static_cast<size_t>(got)});
    } else if (got == 0) {
      return signals < kSignalsThatKill;
    }
  }
}

std::string HowItEnded(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    const char* text = sigdescr_np(signal);
    return fmt::format("the cell's process was killed by signal {} ({})", signal,
                       text != nullptr ? text : "unknown");
  }
  return fmt::format("the cell's process ended with status {} and without a result",
                     WEXITSTATUS(wait_status));
}

RunOutcome Failed(std::string text) {
  RunOutcome outcome;
  outcome.failure = std::move(text);
  return outcome;
}

// What the cell told, or how it ended where it told nothing.
RunOutcome OutcomeOf(CellMessageReader& reader, bool killed, int wait_status) {
  if (killed) {
    RunOutcome outcome;
    outcome.interrupted = true;
    return outcome;
  }
  auto told = reader.TakeOutcome();
  const bool ended_well = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0;
  return told && ended_well ? std::move(*told) : Failed(HowItEnded(wait_status));
}

int WaitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

RunOutcome RunForked(const RunPlan& plan, Pipe& pipe, Interrupt& interrupt,
                     CellMessageReader& reader, bool progress) {
  const pid_t starter = getpid();
  const pid_t cell = fork();
  if (cell < 0) return Failed("fork: " + ErrnoText(errno));
  if (cell == 0) {
    TieToStarter(starter);
    pipe.CloseReadEnd();
    BeCell(plan, pipe.write_end(), progress);
  }
  pipe.CloseWriteEnd();
  const bool alive = Listen(pipe.read_end(), cell, interrupt, reader);
  return OutcomeOf(reader, !alive, WaitFor(cell));
}

// For the program that this process executes next: other users can read its arguments, so those
// have no secrets, and the whole command line lies in a file without a name.
void LeaveErrand(const CellErrand& errand, const std::vector<std::string>& words) {
  fcntl(errand.descriptor, F_SETFD, 0);
  const int file = memfd_create("words", 0);
  for (const std::string& word : words) {
    if (!WriteAll(file, {word.c_str(), word.size() + 1})) _exit(kExitOfLostErrand);
  }
  const std::string text =
      fmt::format("{} {} {} {} {} {} {}", errand.cell, static_cast<int>(errand.mode), errand.repeat,
                  errand.descriptor, errand.progress ? 1 : 0, errand.simulated ? 1 : 0, file);
  setenv(kErrandVariable, text.c_str(), 1);
}

// Counted from its exec to its exit: its time is then that of the whole process.
RunOutcome RunExecuted(const RunPlan& plan, Pipe& pipe, Interrupt& interrupt,
                       CellMessageReader& reader, bool progress) {
  const CellErrand errand{.cell = plan.cell.number,
                          .mode = plan.cell.mode,
                          .repeat = plan.repeat,
                          .descriptor = pipe.write_end(),
                          .progress = progress,
                          .simulated = false,
                          .words = {}};
  std::vector<std::string> arguments = Shown(plan.options.words);
  arguments.at(0) = "/proc/self/exe";
  const pid_t starter = getpid();
  auto launched = metrics::ProcessScope::Launch(arguments, plan.options.events, [&] {
    TieToStarter(starter);
    LeaveErrand(errand, plan.options.words);
  });
  if (!launched) return Failed(PrintableLine(launched.error()));
  pipe.CloseWriteEnd();
  const bool alive = Listen(pipe.read_end(), (*launched)->pid(), interrupt, reader);
  const auto scope = (*launched)->Wait();
  if (!scope) return Failed(PrintableLine(scope.error()));
  RunOutcome outcome = OutcomeOf(reader, !alive, scope->wait_status);
  if (outcome.record) {
    metrics::Selection shown = metrics::SelectShown(scope->readings, plan.options.counters);
    outcome.record->counters = std::move(shown.readings);
    outcome.record->counters_note = std::move(shown.note);
    outcome.record->scope = "process";
    outcome.record->process = {scope->seconds, scope->times.user_seconds,
                               scope->times.system_seconds};
  }
  return outcome;
}

}  // namespace

RunOutcome RunInProcess(const RunPlan& plan, Interrupt& interrupt,
                        const std::function<void(const LoadSample&)>& progress) {
  Pipe pipe;
  if (!pipe.valid()) return Failed("pipe: " + ErrnoText(errno));
  CellMessageReader reader(progress);
  const auto run = plan.options.scope == Scope::kProcess ? RunExecuted : RunForked;
  return run(plan, pipe, interrupt, reader, progress != nullptr);
}

RunOutcome RunUnder(const std::vector<std::string>& command, std::chrono::seconds deadline,
                    const RunPlan& plan, Interrupt& interrupt) {
  Pipe pipe;
  if (!pipe.valid()) return Failed("pipe: " + ErrnoText(errno));
  std::vector<std::string> words = command;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t starter = getpid();
  const pid_t cell = fork();
  if (cell < 0) return Failed("fork: " + ErrnoText(errno));
  if (cell == 0) {
    TieToStarter(starter);
    LeaveErrand({.cell = plan.cell.number,
                 .mode = plan.cell.mode,
                 .repeat = plan.repeat,
                 .descriptor = pipe.write_end(),
                 .progress = false,
                 .simulated = true,
                 .words = {}},
                plan.options.words);
    alarm(static_cast<unsigned>(deadline.count()));  // outlasts the exec, and kills
    execv(argv.front(), argv.data());
    _exit(127);
  }
  pipe.CloseWriteEnd();
  CellMessageReader reader(nullptr);
  const bool alive = Listen(pipe.read_end(), cell, interrupt, reader);
  return OutcomeOf(reader, !alive, WaitFor(cell));
}

std::optional<CellErrand> TakeCellErrand() {
  const char* text = getenv(kErrandVariable);
  if (text == nullptr) return std::nullopt;
  CellErrand errand;
  int progress = 0;
  int mode = 0;
  int simulated = 0;
  int file = -1;
  const char* at = text;
  const char* end = text + strlen(text);
  for (int* number :
       {&errand.cell, &mode, &errand.repeat, &errand.descriptor, &progress, &simulated, &file}) {
    at = std::from_chars(at, end, *number).ptr;
    if (at != end) ++at;
  }
  errand.progress = progress != 0;
  errand.mode = static_cast<Mode>(mode);
  errand.simulated = simulated != 0;
  errand.words = ReadWords(file);
  unsetenv(kErrandVariable);
  return errand;
}

void BeCell(const RunPlan& plan, int descriptor, bool progress) {
  CellMessageWriter writer(descriptor);
  Interrupt interrupt(Interrupt::Of::kCell);
  std::function<void(const LoadSample&)> tell;
  if (progress) tell = [&writer](const LoadSample& sample) { writer.Progress(sample); };
  const auto give_up = [&writer](const std::string& why) {
    writer.Outcome(Failed(why));
    _exit(0);
  };
  try {
    writer.Outcome(RunOnce(plan, interrupt, tell, give_up));
  } catch (const std::exception& error) {
    writer.Outcome(Failed(error.what()));
  }
  // No destructors and no buffers of the starter's: they would run a second time there.
  _exit(0);
}

}  // namespace throughput
