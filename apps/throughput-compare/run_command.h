// Runs the command of a side and reads what it measured.
// Thread rule: one thread; the process has no other.
// Invariants: a run that is not waited for any more has been ended; the scratch folder goes with
// the object. SIGINT and SIGTERM are blocked while it lives, and end the run under way.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "apps/results/failure.h"
#include "apps/results/result_files.h"

namespace throughput {

// A record's command line as the user gave it: without the --format json -o FILE that Run put
// behind.
std::vector<std::string> WithoutOwnFlags(std::vector<std::string> arguments);

class CommandRunner {
 public:
  // `limit`: seconds that a run may take.
  static Result<CommandRunner> Make(std::chrono::duration<double> limit);

  CommandRunner(CommandRunner&& other) noexcept;
  CommandRunner& operator=(CommandRunner&&) = delete;
  ~CommandRunner();

  // `words` with --format json and -o behind them; what the program prints is kept for messages.
  // `name`: "BEFORE", likewise. Failures: exit code 2 where the program refused or wrote no record
  // that can be read, 130 where it or this program was interrupted, else 1.
  Result<std::vector<ReadRun>> Run(const std::vector<std::string>& words, const std::string& name);

 private:
  CommandRunner(std::chrono::duration<double> limit, std::string folder, int signals)
      : limit_(limit), folder_(std::move(folder)), signals_(signals) {}

  std::string ResultPath() const { return folder_ + "/result.json"; }
  std::string ErrorsPath() const { return folder_ + "/errors"; }
  [[noreturn]] void Become(const std::vector<std::string>& words) const;
  Result<int> Await(int process, const std::string& name) const;
  Result<void> Judge(int status, const std::string& name) const;

  std::chrono::duration<double> limit_;
  std::string folder_;
  int signals_;  // a descriptor
};

}  // namespace throughput
