// A PostgreSQL server of a test's own: in a temporary folder, on a Unix socket there, as an
// ordinary user (it refuses the superuser). It ends with this object, and with this process.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/write-throughput/temporary_folder.h"

namespace throughput {

// Where Debian's package has the server's programs; empty: it is not installed.
std::string PostgresPrograms();

class PostgresServer {
 public:
  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // An empty cluster, or a standby of `primary`, whose changes it receives as "standby".
  bool Make();
  bool MakeStandbyOf(const PostgresServer& primary);

  bool Start(const std::vector<std::string>& settings = {});  // "name=value"; waits for it
  void Stop();                                                // at once, as by a crash

  std::string Dsn(const std::string& user = "postgres", const std::string& database = "postgres",
                  const std::string& more = "") const;
  std::string Sql(const std::string& text, const std::string& database = "postgres") const;
  bool Await(const std::string& query, const std::string& answer) const;
  pid_t StartSql(const std::string& text) const;  // a session of its own, to be killed

  std::string LogFile() const { return folder_ / "log"; }

 private:
  std::vector<std::string> Psql(const std::string& database) const;

  TemporaryFolder folder_;
  pid_t pid_ = -1;
};

}  // namespace throughput
