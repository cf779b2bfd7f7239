// How a load thread writes to PostgreSQL: by prepared inserts in a pipeline, by inserts of many
// rows in a pipeline, or by COPY. Rows travel in binary form. This is what the three share: begin
// and commit, what an error means, and when a commit counts.
// Thread rule: as target.h says for connections; Abandoned from any thread.
// Invariant: acknowledged is only what the server answered by COMMIT and without a warning.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "apps/write-throughput/targets/postgres_session.h"
#include "apps/write-throughput/targets/target.h"

namespace throughput {

inline constexpr std::string_view kByPipeline = "pipeline";
inline constexpr std::string_view kByMultiRow = "multi-row";
inline constexpr std::string_view kByCopy = "copy";

// Server processes whose clients went without an answer: they may still wait, with their locks.
class Abandoned {
 public:
  void Add(int backend);
  std::vector<int> Take();

 private:
  std::mutex mutex_;
  std::vector<int> backends_;
};

// What the connections of a run have in common; outlives them.
struct PgLoad {
  const LibpqLibrary* library = nullptr;
  std::string dsn;
  std::string table;  // with its schema
  std::string method;
  Mode mode = Mode::kLogicalLog;
  std::chrono::milliseconds lock_timeout{30'000};  // the server's, for each lock
  std::chrono::milliseconds patience{32'000};      // the client's, for each answer
  Abandoned* abandoned = nullptr;
};

class PgConnection : public Connection {
 public:
  explicit PgConnection(const PgLoad& load) : load_(load), session_(*load.library, load.patience) {}

  Expected<> Open();

  Outcome Begin() final;
  Outcome Insert(int64_t id, std::string_view data) final { return Answer(DoInsert(id, data)); }
  Outcome Commit() final;
  void Rollback() final;

  std::string error() const final { return error_; }
  std::string busy_error() const final { return error_; }

 protected:
  // False: the session has the error, or is over.
  virtual bool Prepare() = 0;
  virtual bool DoBegin() = 0;
  virtual bool DoInsert(int64_t id, std::string_view data) = 0;
  virtual bool DoCommit() = 0;
  virtual void DoRollback() = 0;

  // The mode logical-log begins under snapshot isolation; legacy takes the only writer's lock,
  // which the server holds until the commit is durable.
  bool locks() const { return load_.mode == Mode::kLegacy; }
  std::string BeginText() const;
  std::string LockText() const;

  const PgLoad& load_;
  PgSession session_;

 private:
  Outcome Answer(bool fine) {
    if (fine) [[likely]]
      return Outcome::kOk;
    return Failed();
  }
  Outcome Failed();

  int backend_ = 0;
  std::string error_;
};

// Not opened yet.
std::unique_ptr<PgConnection> MakePipelineConnection(const PgLoad& load);
std::unique_ptr<PgConnection> MakeMultiRowConnection(const PgLoad& load);
std::unique_ptr<PgConnection> MakeCopyConnection(const PgLoad& load);

Expected<std::unique_ptr<Connection>> ConnectToPostgres(const PgLoad& load);

}  // namespace throughput
