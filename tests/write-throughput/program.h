// Runs the built write-throughput as a process of its own.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/write-throughput/temporary_folder.h"

namespace throughput {

struct Finished {
  int status = -1;  // exit status, or 128 plus the signal
  std::string out;
  std::string err;
};

struct ProgramSettings {
  std::string folder;                              // to run in
  std::map<std::string, std::string> environment;  // beside the test's own
  std::optional<int> stdout_descriptor;            // else caught
  std::optional<int> stderr_descriptor;
  std::optional<uint64_t> file_size_limit;  // bytes
  std::optional<uint64_t> descriptor_limit;
  std::optional<uint64_t> disk_bytes;  // a file system in memory over the folder, for it alone
  bool ignore_interrupts = false;      // as a shell's background jobs start
  bool close_stdout = false;
  bool forbid_io_uring = false;  // as containers do: a filter on system calls, answering EPERM
};

class Program {
 public:
  // Starts write-throughput with `arguments`.
  Program(const std::vector<std::string>& arguments, const ProgramSettings& settings);
  ~Program();  // kills what still runs
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  std::optional<pid_t> Cell() const;  // its child, where it has one

  // The process of a cell once it has used so much CPU time that its load must be running.
  std::optional<pid_t> WaitForLoad() const;

  Finished Wait();  // one that does not end in five minutes is killed

 private:
  TemporaryFolder caught_;
  pid_t pid_ = -1;
  bool waited_ = false;
};

Finished RunProgram(const std::vector<std::string>& arguments, const ProgramSettings& settings);

// Makes Burin's log files small, so that creating them takes no time.
inline const std::string kSmallLog = "segment-bytes=1048576";

bool Runs(pid_t process);  // any of its threads
bool WaitUntilGone(pid_t process);
size_t OpenDescriptors(pid_t process);
bool CanMount();  // as disk_bytes needs

std::vector<std::string> Lines(const std::string& text);

}  // namespace throughput
