#include "apps/write-throughput/targets/sqlite_connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <thread>

namespace throughput {
namespace {

constexpr int kUpToItsEnd = -1;  // of a statement's text

}  // namespace

int SqliteDatabase::Open(const std::string& file, bool create) {
  const int flags = kSqliteOpenReadWrite | kSqliteOpenNoMutex | (create ? kSqliteOpenCreate : 0);
  int code = Check(library_.open_v2(file.c_str(), &database_, flags, nullptr), "opening");
  if (code == kSqliteOk) code = library_.busy_handler(database_, WaitForLock, this);
  if (code == kSqliteOk) code = UseWriteAheadLog();
  if (code == kSqliteOk) {
    code = Execute("PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON");
  }
  if (code != kSqliteOk) Close();
  return code;
}

// The answer is the mode that the database has then, which need not be the one asked for.
int SqliteDatabase::UseWriteAheadLog() {
  sqlite3_stmt* statement = nullptr;
  int code = Prepare("PRAGMA journal_mode=WAL", statement);
  if (code != kSqliteOk) return code;
  code = Step(statement);
  const unsigned char* text = code == kSqliteRow ? library_.column_text(statement, 0) : nullptr;
  const std::string mode = text == nullptr ? "" : reinterpret_cast<const char*>(text);
  library_.finalize(statement);
  if (code != kSqliteRow) return code;
  if (mode == "wal") return kSqliteOk;
  error_ = fmt::format("the journal mode is '{}' and not 'wal'", mode);
  return 1;
}

int SqliteDatabase::Execute(const char* sql) {
  return Check(library_.exec(database_, sql, nullptr, nullptr, nullptr), sql);
}

void SqliteDatabase::RollBack() {
  if (database_ != nullptr) library_.exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
}

int SqliteDatabase::Prepare(const char* sql, sqlite3_stmt*& statement) {
  return Check(library_.prepare_v2(database_, sql, kUpToItsEnd, &statement, nullptr), sql);
}

int SqliteDatabase::Step(sqlite3_stmt* statement) {
  const int code = library_.step(statement);
  if (code == kSqliteDone || code == kSqliteRow) [[likely]]
    return code;
  return Check(code, "a statement");
}

// Keeps the message while the connection still has it, and tells the kinds of busy apart.
int SqliteDatabase::Check(int code, const char* what) {
  if (code == kSqliteOk) [[likely]]
    return code;
  error_ = fmt::format("{}: {}", what,
                       database_ == nullptr ? "out of memory" : library_.errmsg(database_));
  return database_ == nullptr ? code : library_.ErrorCode(database_);
}

void SqliteDatabase::Close() {
  if (database_ != nullptr) library_.close(database_);
  database_ = nullptr;
}

// Sleeps longer and longer, as SQLite's own handler does, until the timeout is over.
int SqliteDatabase::WaitForLock(void* self, int waits_before) {
  constexpr int kDelaysMs[] = {1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100};
  auto& database = *static_cast<SqliteDatabase*>(self);
  const auto now = std::chrono::steady_clock::now();
  if (waits_before == 0) database.first_wait_ = now;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(database.first_wait_ +
                                                                          database.timeout_ - now);
  if (left.count() <= 0) return 0;
  database.waits_.fetch_add(1, std::memory_order_relaxed);
  const auto last = static_cast<int>(std::size(kDelaysMs)) - 1;
  const std::chrono::milliseconds delay(kDelaysMs[std::min(waits_before, last)]);
  std::this_thread::sleep_for(std::min(delay, left));
  return 1;
}

}  // namespace throughput
