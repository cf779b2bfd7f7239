#include "tests/write-throughput/targets/postgres_server.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace throughput {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience(60);
constexpr const char* kOrdinaryUser = "nobody";

template <typename Condition>
bool Within(std::chrono::milliseconds patience, const Condition& condition) {
  const auto end = Clock::now() + patience;
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

// Where this process is the superuser's, the new one is not. It dies with its starter.
[[noreturn]] void Execute(std::vector<std::string> words, const std::string& output, int death) {
  const passwd* user = geteuid() == 0 ? getpwnam(kOrdinaryUser) : nullptr;
  const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  if (user != nullptr &&
      (setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)) {
    _exit(97);
  }
  prctl(PR_SET_PDEATHSIG, death);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(98);
}

pid_t Launch(const std::vector<std::string>& words, const std::string& output, int death) {
  const pid_t process = fork();
  if (process == 0) Execute(words, output, death);
  return process;
}

// The exit status; one that takes too long is killed.
int Finish(pid_t process, std::chrono::milliseconds patience) {
  int status = -1;
  const auto ended = [&] { return waitpid(process, &status, WNOHANG) == process; };
  if (!Within(patience, ended)) {
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
  }
  return status;
}

bool Run(const std::vector<std::string>& words, const std::string& output) {
  return Finish(Launch(words, output, SIGKILL), kPatience) == 0;
}

}  // namespace

std::string PostgresPrograms() {
  std::error_code error;
  std::string found;
  for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", error)) {
    const std::string programs = version.path() / "bin";
    if (access((programs + "/initdb").c_str(), X_OK) == 0) found = std::max(found, programs);
  }
  return found;
}

PostgresServer::PostgresServer() {
  if (geteuid() != 0) return;
  const passwd* user = getpwnam(kOrdinaryUser);
  if (user == nullptr || chown(folder_.path().c_str(), user->pw_uid, user->pw_gid) != 0) {
    ADD_FAILURE() << "no folder for the user " << kOrdinaryUser;
  }
}

PostgresServer::~PostgresServer() { Stop(); }

bool PostgresServer::Make() {
  return Run({PostgresPrograms() + "/initdb", "-D", folder_ / "data", "-U", "postgres", "-A",
              "trust", "-E", "UTF8", "--locale=C", "--no-sync"},
             folder_ / "log");
}

bool PostgresServer::MakeStandbyOf(const PostgresServer& primary) {
  return Run(
      {PostgresPrograms() + "/pg_basebackup", "-D", folder_ / "data", "-R", "--no-sync", "-c",
       "fast", "-d", "host=" + primary.folder_.path() + " user=postgres application_name=standby"},
      folder_ / "log");
}

bool PostgresServer::Start(const std::vector<std::string>& settings) {
  std::vector<std::string> words = {PostgresPrograms() + "/postgres", "-D", folder_ / "data"};
  std::vector<std::string> all = {"listen_addresses=", "shared_buffers=16MB", "max_connections=40",
                                  "unix_socket_directories=" + folder_.path()};
  all.insert(all.end(), settings.begin(), settings.end());
  for (const std::string& setting : all) {
    words.emplace_back("-c");
    words.push_back(setting);
  }
  pid_ = Launch(words, folder_ / "log", SIGQUIT);
  return Await("SELECT 1", "1");
}

void PostgresServer::Stop() {
  if (pid_ < 0) return;
  kill(pid_, SIGQUIT);
  Finish(pid_, kPatience);
  pid_ = -1;
}

std::string PostgresServer::Dsn(const std::string& user, const std::string& database,
                                const std::string& more) const {
  return "dsn=host=" + folder_.path() + " user=" + user + " dbname=" + database + " " + more;
}

std::vector<std::string> PostgresServer::Psql(const std::string& database) const {
  return {PostgresPrograms() + "/psql",
          "-XAtq",
          "-v",
          "ON_ERROR_STOP=1",
          "-h",
          folder_.path(),
          "-U",
          "postgres",
          "-d",
          database};
}

std::string PostgresServer::Sql(const std::string& text, const std::string& database) const {
  const TemporaryFolder answers;
  const std::string file = answers.Write("answer", "");
  std::vector<std::string> words = Psql(database);
  words.insert(words.end(), {"-c", text});
  Run(words, file);
  std::string answer = answers.Read("answer");
  while (!answer.empty() && answer.back() == '\n') answer.pop_back();
  return answer;
}

bool PostgresServer::Await(const std::string& query, const std::string& answer) const {
  return Within(kPatience, [&] { return Sql(query) == answer; });
}

pid_t PostgresServer::StartSql(const std::string& text) const {
  std::vector<std::string> words = Psql("postgres");
  words.insert(words.end(), {"-c", text});
  return Launch(words, folder_ / "log", SIGKILL);
}

}  // namespace throughput
