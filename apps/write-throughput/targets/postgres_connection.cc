#include "apps/write-throughput/targets/postgres_connection.h"

#include <fmt/format.h>

namespace throughput {

Expected<> PgConnection::Open() {
  if (auto opened = session_.Open(load_.dsn); !opened) return opened;
  backend_ = session_.backend();
  const auto limited =
      session_.Execute(fmt::format("SET lock_timeout = {}", load_.lock_timeout.count()));
  if (!limited) return limited;
  if (Answer(Prepare()) != Outcome::kOk) return tl::unexpected(Failure{error_});
  return {};
}

Outcome PgConnection::Begin() {
  if (session_.open()) return Answer(DoBegin());
  if (error_.empty()) error_ = "postgres: the connection is closed";
  return Outcome::kFailed;
}

Outcome PgConnection::Commit() {
  const Outcome outcome = Answer(DoCommit());
  if (outcome != Outcome::kOk) return outcome;
  if (!session_.committed()) {
    error_ = "postgres: the server answered COMMIT by rolling back";
    return Outcome::kFailed;
  }
  if (!session_.commit_warning().empty()) {
    error_ = "postgres: COMMIT was answered with a warning, which is no acknowledgement: " +
             session_.commit_warning();
    return Outcome::kFailed;
  }
  return Outcome::kOk;
}

void PgConnection::Rollback() {
  if (session_.open()) DoRollback();
  session_.TakeError();
}

std::string PgConnection::BeginText() const {
  return locks() ? "BEGIN ISOLATION LEVEL READ COMMITTED" : "BEGIN ISOLATION LEVEL REPEATABLE READ";
}

std::string PgConnection::LockText() const {
  return fmt::format("LOCK TABLE {} IN EXCLUSIVE MODE", load_.table);
}

Outcome PgConnection::Failed() {
  const PgError error = session_.TakeError();
  error_ = "postgres: " + error.text;
  if (!session_.open()) load_.abandoned->Add(backend_);
  const bool serialization = error.sql_state == "40001" || error.sql_state == "40P01";
  if (serialization) return Outcome::kConflict;
  return error.sql_state == "55P03" ? Outcome::kBusy : Outcome::kFailed;
}

void Abandoned::Add(int backend) {
  const std::lock_guard lock(mutex_);
  backends_.push_back(backend);
}

std::vector<int> Abandoned::Take() {
  const std::lock_guard lock(mutex_);
  return std::move(backends_);
}

Expected<std::unique_ptr<Connection>> ConnectToPostgres(const PgLoad& load) {
  const auto make = load.method == kByCopy       ? MakeCopyConnection
                    : load.method == kByMultiRow ? MakeMultiRowConnection
                                                 : MakePipelineConnection;
  auto connection = make(load);
  if (auto opened = connection->Open(); !opened) return tl::unexpected(opened.error());
  return connection;
}

}  // namespace throughput
