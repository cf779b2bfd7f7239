#include "apps/write-throughput/interrupt.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <initializer_list>

namespace throughput {
namespace {

sigset_t Set(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  return set;
}

}  // namespace

Interrupt::Interrupt(Of process) {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  const sigset_t blocked = Set({SIGINT, SIGTERM, SIGHUP, kStopCell});
  sigprocmask(SIG_BLOCK, &blocked, nullptr);
  const sigset_t heeded = process == Of::kCell ? Set({kStopCell}) : Set({SIGINT, SIGTERM, SIGHUP});
  descriptor_ = signalfd(-1, &heeded, SFD_CLOEXEC | SFD_NONBLOCK);
}

Interrupt::~Interrupt() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool Interrupt::Waiting() const {
  pollfd descriptor{descriptor_, POLLIN, 0};
  return poll(&descriptor, 1, 0) > 0;
}

bool Interrupt::Take() {
  signalfd_siginfo signal;
  return read(descriptor_, &signal, sizeof signal) == sizeof signal;
}

}  // namespace throughput
