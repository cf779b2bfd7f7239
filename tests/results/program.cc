// Owns the child process. Its streams go to files, so that no pipe can fill up.
#include "tests/results/program.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <list>

#include "tests/results/scratch_folder.h"

namespace throughput {
namespace {

void Redirect(const std::string& path, int to) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  if (fd < 0 || ::dup2(fd, to) < 0) ::_exit(127);
}

[[noreturn]] void Become(const std::vector<std::string>& arguments, const ProgramSetting& setting,
                         const std::string& output, const std::string& errors) {
  Redirect(output, STDOUT_FILENO);
  Redirect(errors, STDERR_FILENO);
  for (const auto& [name, value] : setting.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (setting.file_size_limit >= 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const auto limit = static_cast<rlim_t>(setting.file_size_limit);
    const rlimit limits{limit, limit};
    ::setrlimit(RLIMIT_FSIZE, &limits);
  }
  std::vector<char*> argv{const_cast<char*>(PROGRAM_UNDER_TEST)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

class Child {
 public:
  Child(const std::vector<std::string>& arguments, const ProgramSetting& setting) {
    const std::string output =
        setting.output_file.empty() ? streams_.Path("output") : setting.output_file;
    pid_ = ::fork();
    if (pid_ == 0) Become(arguments, setting, output, streams_.Path("errors"));
  }

  ProgramResult Wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, streams_.Read("output"),
            streams_.Read("errors")};
  }

 private:
  ScratchFolder streams_;
  pid_t pid_ = -1;
};

}  // namespace

ProgramResult RunProgram(const std::vector<std::string>& arguments, const ProgramSetting& setting) {
  return Child(arguments, setting).Wait();
}

void ExpectRefused(const ProgramResult& result, const std::string& message) {
  const std::string program = std::filesystem::path(PROGRAM_UNDER_TEST).filename();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_THAT(result.errors, testing::StartsWith(program + ": "));
  EXPECT_THAT(result.errors, testing::HasSubstr(message));
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
}

std::vector<ProgramResult> RunTogether(const std::vector<std::vector<std::string>>& arguments) {
  std::list<Child> children;
  for (const auto& each : arguments) children.emplace_back(each, ProgramSetting{});
  std::vector<ProgramResult> results;
  for (Child& child : children) results.push_back(child.Wait());
  return results;
}

}  // namespace throughput
