// A connection to a PostgreSQL server in which every wait has a deadline: libpq is never allowed to
// block, poll waits for its socket. After a deadline that passed or a lost connection the session
// is over: whether the server did what was last asked is not known.
//
// Only the resolution of host names is libpq's own, bounded by the system's resolver.
// Thread rule: one thread at a time. Errors are one line: the server's own message with its
// SQLSTATE (PostgreSQL's documentation, appendix A), or libpq's.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/write-throughput/targets/libpq_library.h"
#include "apps/write-throughput/targets/target.h"

namespace throughput {

struct PgError {
  std::string sql_state;  // empty: not from the server
  std::string text;       // empty: there is none
};

// A parameter in binary form, which the sending copies.
struct PgParameters {
  int count = 0;
  const PgOid* types = nullptr;
  const char* const* values = nullptr;
  const int* lengths = nullptr;
  const int* formats = nullptr;  // 1: binary
};

class PgSession {
 public:
  // `patience`: for the server to answer, and for each step of a long statement.
  PgSession(const LibpqLibrary& library, std::chrono::milliseconds patience)
      : library_(library), patience_(patience) {}
  ~PgSession() { Close(); }
  PgSession(const PgSession&) = delete;
  PgSession& operator=(const PgSession&) = delete;

  Expected<> Open(const std::string& dsn);  // of a string that CheckDsn allows
  void Close();
  bool open() const { return connection_ != nullptr; }
  int backend() const;        // the server's process
  std::string Place() const;  // "database d at h, port 5432"

  // One statement, awaited; not within a pipeline. Results are text.
  Expected<> Execute(const std::string& sql);
  Expected<std::vector<std::vector<std::string>>> Query(const std::string& sql);

  // The same with a parameter (int8) and binary results of two columns.
  Expected<> QueryRows(const std::string& sql, int64_t parameter,
                       const std::function<void(std::string_view, std::string_view)>& row);

  // What the load does is queued and sent while it goes on, and answered at Finish. False at once
  // where an error is known: error() has the first since Finish.
  bool EnterPipeline();
  bool Prepare(const std::string& name, const std::string& sql, const PgParameters& parameters);
  bool SendPrepared(const std::string& name, const PgParameters& parameters);
  bool Pump();    // sends all that is queued and takes the answers that have come
  bool Finish();  // awaits every answer

  // Outside of a pipeline. Behind a Run whose last statement is a COPY: its data.
  bool Run(const std::string& sql);
  bool PutCopyData(std::string_view bytes);
  bool EndCopy(const char* error);  // null: the data is whole

  // Of the last COMMIT that was answered: whether that says it is durable as configured.
  bool committed() const { return committed_; }
  const std::string& commit_warning() const { return commit_warning_; }

  // Since the last call; taking it clears it.
  PgError TakeError();
  bool failed() const { return !error_.text.empty(); }

 private:
  using Clock = std::chrono::steady_clock;

  static void Notice(void* session, const PGresult* notice);

  bool Connect(Clock::time_point deadline);
  bool Poll(short events, Clock::time_point deadline);
  bool AwaitResult();
  bool TakeAnswers(const std::function<void(const PGresult*)>& take = nullptr);
  void TakeAvailable();
  void Take(PGresult* result);
  bool FlushAll(bool take);
  bool Lose(const std::string& text);  // the session is over; false
  bool LoseForLibpqsReason();
  bool Check(int done) { return done == 1 || LoseForLibpqsReason(); }
  tl::unexpected<Failure> Fail();

  const LibpqLibrary& library_;
  const std::chrono::milliseconds patience_;
  PGconn* connection_ = nullptr;
  bool pipeline_ = false;
  PgError error_;
  std::string warning_;     // since the last answer
  std::string last_words_;  // of a server that ended the session unasked
  bool committed_ = false;
  std::string commit_warning_;
};

}  // namespace throughput
