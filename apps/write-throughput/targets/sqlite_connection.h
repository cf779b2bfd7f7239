// One connection to a SQLite database: write-ahead log, a sync at every commit, and waits for locks
// that are bounded and counted.
// Thread rule: one thread at a time; the counter of waits is shared.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "apps/write-throughput/targets/sqlite_library.h"

namespace throughput {

class SqliteDatabase {
 public:
  SqliteDatabase(const SqliteLibrary& library, std::chrono::milliseconds timeout,
                 std::atomic<uint64_t>& waits)
      : library_(library), timeout_(timeout), waits_(waits) {}
  ~SqliteDatabase() { Close(); }
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  // All return SQLite's result code, kSqliteOk for success; error() is about the last other one.
  int Open(const std::string& file, bool create);
  int Execute(const char* sql);
  int Prepare(const char* sql, sqlite3_stmt*& statement);
  int Step(sqlite3_stmt* statement);  // kSqliteRow or kSqliteDone for success

  void RollBack();  // what there is to roll back; error() stays as it is

  bool opened() const { return database_ != nullptr; }
  const std::string& error() const { return error_; }
  void Close();  // statements have been finalized

 private:
  static int WaitForLock(void* self, int waits_before);
  int UseWriteAheadLog();
  int Check(int code, const char* what);

  const SqliteLibrary& library_;
  const std::chrono::milliseconds timeout_;
  std::atomic<uint64_t>& waits_;
  sqlite3* database_ = nullptr;
  std::chrono::steady_clock::time_point first_wait_;
  std::string error_;
};

}  // namespace throughput
