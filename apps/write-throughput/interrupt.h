// Signals that end a run, as something to look at instead of something that strikes: blocked, and
// readable from a descriptor. Threads and processes started later inherit the block.
//
// The program heeds SIGINT, SIGTERM and SIGHUP and passes each on to the running cell as
// kStopCell, the only one a cell heeds: a Ctrl-C reaches both, but must not count twice there.
// SIGINT and SIGTERM count even where the parent had set them to be ignored, as shells do for what
// they start in the background; an ignored SIGHUP (nohup) stays ignored.
// Thread rule: made before the process has threads; afterwards from one thread.
#pragma once

#include <signal.h>

namespace throughput {

inline constexpr int kStopCell = SIGUSR1;

class Interrupt {
 public:
  enum class Of { kProgram, kCell };

  explicit Interrupt(Of process);
  ~Interrupt();  // the signals stay blocked
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  int descriptor() const { return descriptor_; }  // readable: a signal is waiting; -1: errno says

  bool Waiting() const;  // whether one is, without taking it
  bool Take();           // takes one; false: none was waiting

 private:
  int descriptor_;
};

}  // namespace throughput
