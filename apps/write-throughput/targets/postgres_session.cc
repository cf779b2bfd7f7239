#include "apps/write-throughput/targets/postgres_session.h"

#include <endian.h>
#include <errno.h>
#include <fmt/format.h>
#include <poll.h>
#include <string.h>

#include <algorithm>

#include "apps/write-throughput/messages.h"

namespace throughput {
namespace {

constexpr int kBinary = 1;
constexpr int kText = 0;
constexpr int kExpandDatabase = 1;  // the dsn stands in its place

// libpq's messages have several lines: indented ones are advice, and behind the server's own last
// words that it closed the connection is no news.
std::string OneLine(std::string_view text) {
  constexpr std::string_view kClosed = "server closed the connection unexpectedly";
  std::string line;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool news = line.empty() || !part.starts_with(kClosed);
    if (part.empty() || part.front() == '\t' || !news) continue;
    line += (line.empty() ? "" : "; ") + std::string(part);
  }
  return line;
}

}  // namespace

Expected<> PgSession::Open(const std::string& dsn) {
  const char* const keywords[] = {"dbname", "application_name", "client_encoding", nullptr};
  const char* const values[] = {dsn.c_str(), "write-throughput", "UTF8", nullptr};
  connection_ = library_.connect_start(keywords, values, kExpandDatabase);
  if (connection_ == nullptr) return tl::unexpected(Failure{"postgres: out of memory"});
  library_.set_notice_receiver(connection_, Notice, this);
  if (!Connect(Clock::now() + patience_)) return Fail();
  if (library_.set_nonblocking(connection_, 1) != 0) LoseForLibpqsReason();
  return failed() ? Fail() : Expected<>();
}

bool PgSession::Connect(Clock::time_point deadline) {
  if (library_.status(connection_) == kPgConnectionBad) return LoseForLibpqsReason();
  for (int state = kPgPollingWriting; state != kPgPollingOk;
       state = library_.connect_poll(connection_)) {
    if (state == kPgPollingFailed) return LoseForLibpqsReason();
    if (!Poll(state == kPgPollingReading ? POLLIN : POLLOUT, deadline)) return false;
  }
  return true;
}

void PgSession::Close() {
  if (connection_ != nullptr) library_.finish(connection_);
  connection_ = nullptr;
}

int PgSession::backend() const { return open() ? library_.backend_pid(connection_) : 0; }

std::string PgSession::Place() const {
  return fmt::format("database {} at {}, port {}", library_.database(connection_),
                     library_.host(connection_), library_.port(connection_));
}

void PgSession::Notice(void* session, const PGresult* notice) {
  PgSession& self = *static_cast<PgSession*>(session);
  const char* severity = self.library_.result_error_field(notice, kPgSeverity);
  const char* message = self.library_.result_error_field(notice, kPgMessage);
  if (severity == nullptr || message == nullptr) return;
  if (strcmp(severity, "WARNING") == 0) self.warning_ = OneLine(message);
  if (strcmp(severity, "FATAL") == 0) self.last_words_ = OneLine(message);
}

bool PgSession::Poll(short events, Clock::time_point deadline) {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      return Lose(fmt::format("no answer from the server within {} ms", patience_.count()));
    }
    pollfd entry{library_.socket(connection_), events, 0};
    const int ready = poll(&entry, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return Lose("poll: " + ErrnoText(errno));
  }
}

// Until the next result can be had without waiting.
bool PgSession::AwaitResult() {
  const Clock::time_point deadline = Clock::now() + patience_;
  while (library_.is_busy(connection_) != 0) {
    const int unsent = library_.flush(connection_);
    if (unsent < 0) return LoseForLibpqsReason();
    const short events = unsent > 0 ? POLLIN | POLLOUT : POLLIN;
    if (!Poll(events, deadline)) return false;
    if (library_.consume_input(connection_) == 0) return LoseForLibpqsReason();
  }
  return true;
}

// Up to the end of what was asked: in a pipeline its synchronization, else no more results or data
// that is awaited. `take` gets those with rows.
bool PgSession::TakeAnswers(const std::function<void(const PGresult*)>& take) {
  for (;;) {
    if (!open() || !AwaitResult()) return false;
    PGresult* result = library_.get_result(connection_);
    if (result == nullptr) {
      if (library_.status(connection_) != kPgConnectionOk) return LoseForLibpqsReason();
      if (!pipeline_) return !failed();
      continue;
    }
    const int status = library_.result_status(result);
    if (status == kPgTuplesOk && take) take(result);
    Take(result);
    if (status == kPgPipelineSync || status == kPgCopyIn) return !failed();
  }
}

// In a pipeline, those that are there. Between two statements libpq answers with a null, at the end
// with another one.
void PgSession::TakeAvailable() {
  int nulls = 0;
  while (nulls < 2 && library_.is_busy(connection_) == 0) {
    PGresult* result = library_.get_result(connection_);
    nulls = result == nullptr ? nulls + 1 : 0;
    if (result == nullptr) continue;
    const bool copying = library_.result_status(result) == kPgCopyIn;
    Take(result);
    if (copying) return;  // the same answer would come for ever
  }
}

// Keeps the first error, as those behind it only follow from it.
void PgSession::Take(PGresult* result) {
  const int status = library_.result_status(result);
  const bool fine = status == kPgCommandOk || status == kPgTuplesOk || status == kPgCopyIn ||
                    status == kPgPipelineSync;
  if (status == kPgCommandOk) {
    committed_ = strcmp(library_.cmd_status(result), "COMMIT") == 0;
    commit_warning_ = warning_;
    if (!committed_) commit_warning_.clear();
  } else if (!fine && status != kPgPipelineAborted && !failed()) {
    const char* state = library_.result_error_field(result, kPgSqlState);
    const char* message = library_.result_error_field(result, kPgMessage);
    error_.sql_state = state == nullptr ? "" : state;
    error_.text = message == nullptr ? OneLine(library_.error_message(connection_))
                                     : fmt::format("{} ({})", OneLine(message), error_.sql_state);
    if (error_.text.empty()) error_.text = "an answer that libpq does not understand";
  }
  warning_.clear();
  library_.clear(result);
}

// The server may wait for its answers to be read before it reads on.
bool PgSession::FlushAll(bool take) {
  const Clock::time_point deadline = Clock::now() + patience_;
  for (;;) {
    const int unsent = library_.flush(connection_);
    if (unsent < 0) return LoseForLibpqsReason();
    if (library_.consume_input(connection_) == 0) return LoseForLibpqsReason();
    if (take) TakeAvailable();
    if (unsent == 0) return !failed();
    if (!Poll(POLLIN | POLLOUT, deadline)) return false;
  }
}

bool PgSession::Lose(const std::string& text) {
  if (!failed()) error_ = {"", text};
  Close();
  return false;
}

bool PgSession::LoseForLibpqsReason() {
  if (library_.status(connection_) == kPgConnectionBad) TakeAvailable();
  const std::string text = OneLine(library_.error_message(connection_));
  if (!last_words_.empty()) return Lose(last_words_);
  return Lose(text.empty() ? "the connection to the server is lost" : text);
}

PgError PgSession::TakeError() {
  PgError error = std::move(error_);
  error_ = {};
  return error;
}

tl::unexpected<Failure> PgSession::Fail() {
  return tl::unexpected(Failure{"postgres: " + TakeError().text});
}

Expected<> PgSession::Execute(const std::string& sql) {
  if (!open()) return tl::unexpected(Failure{"postgres: the connection is closed"});
  return Run(sql) ? Expected<>() : Fail();
}

bool PgSession::Run(const std::string& sql) {
  return Check(library_.send_query(connection_, sql.c_str())) && TakeAnswers();
}

Expected<std::vector<std::vector<std::string>>> PgSession::Query(const std::string& sql) {
  std::vector<std::vector<std::string>> rows;
  const auto take = [&](const PGresult* result) {
    for (int row = 0; row < library_.ntuples(result); ++row) {
      std::vector<std::string>& texts = rows.emplace_back();
      for (int column = 0; column < library_.nfields(result); ++column) {
        texts.emplace_back(library_.get_value(result, row, column));
      }
    }
  };
  if (!Check(library_.send_query(connection_, sql.c_str())) || !TakeAnswers(take)) return Fail();
  return rows;
}

Expected<> PgSession::QueryRows(
    const std::string& sql, int64_t parameter,
    const std::function<void(std::string_view, std::string_view)>& row) {
  const uint64_t bytes = htobe64(static_cast<uint64_t>(parameter));
  const char* const values[] = {reinterpret_cast<const char*>(&bytes)};
  const int lengths[] = {sizeof bytes};
  const int formats[] = {kBinary};
  const auto take = [&](const PGresult* result) {
    const auto cell = [&](int at, int column) {
      return std::string_view(library_.get_value(result, at, column),
                              static_cast<size_t>(library_.get_length(result, at, column)));
    };
    for (int at = 0; at < library_.ntuples(result); ++at) row(cell(at, 0), cell(at, 1));
  };
  const int sent = library_.send_query_params(connection_, sql.c_str(), 1, &kPgInt8, values,
                                              lengths, formats, kBinary);
  return Check(sent) && TakeAnswers(take) ? Expected<>() : Fail();
}

bool PgSession::EnterPipeline() {
  pipeline_ = true;
  return Check(library_.enter_pipeline_mode(connection_));
}

bool PgSession::Prepare(const std::string& name, const std::string& sql,
                        const PgParameters& parameters) {
  return Check(library_.send_prepare(connection_, name.c_str(), sql.c_str(), parameters.count,
                                     parameters.types));
}

bool PgSession::SendPrepared(const std::string& name, const PgParameters& parameters) {
  return Check(library_.send_query_prepared(connection_, name.c_str(), parameters.count,
                                            parameters.values, parameters.lengths,
                                            parameters.formats, kText));
}

bool PgSession::Pump() { return FlushAll(true); }

bool PgSession::Finish() { return Check(library_.pipeline_sync(connection_)) && TakeAnswers(); }

bool PgSession::PutCopyData(std::string_view bytes) {
  int put = 0;
  while (put == 0) {
    put = library_.put_copy_data(connection_, bytes.data(), static_cast<int>(bytes.size()));
    if (put < 0) return LoseForLibpqsReason();
    if (!FlushAll(false)) return false;
  }
  return true;
}

bool PgSession::EndCopy(const char* error) {
  if (!FlushAll(false)) return false;
  return Check(library_.put_copy_end(connection_, error)) && TakeAnswers();
}

}  // namespace throughput
