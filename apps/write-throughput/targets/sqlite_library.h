// The functions of a library with SQLite's C interface (https://sqlite.org/c3ref/intro.html), found
// at run time: SQLite itself in any build, SQLCipher, libSQL and others.
// Thread rule: constant once loaded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/write-throughput/targets/shared_library.h"
#include "apps/write-throughput/targets/target.h"

struct sqlite3;
struct sqlite3_stmt;

namespace throughput {

// Numbers of the interface that never change.
inline constexpr int kSqliteOk = 0;
inline constexpr int kSqliteBusy = 5;
inline constexpr int kSqliteLocked = 6;
inline constexpr int kSqliteRow = 100;
inline constexpr int kSqliteDone = 101;
inline constexpr int kSqliteBusySnapshot = kSqliteBusy | (2 << 8);
inline constexpr int kSqliteInteger = 1;  // types of columns
inline constexpr int kSqliteText = 3;
inline constexpr int kSqliteOpenReadWrite = 0x2;
inline constexpr int kSqliteOpenCreate = 0x4;
inline constexpr int kSqliteOpenNoMutex = 0x8000;  // a connection is one thread's

struct SqliteLibrary {
  // `name`: as SharedLibrary takes it.
  Expected<> Load(const std::string& name);

  LoadedEngine Describe() const;
  bool HasBeginConcurrent() const;  // knows the statement

  // Of a connection, or of a failed opening: extended where the library tells.
  int ErrorCode(sqlite3* database) const;

  SharedLibrary library;
  const char* (*libversion)() = nullptr;
  int (*open_v2)(const char* file, sqlite3** database, int flags, const char* vfs) = nullptr;
  int (*close)(sqlite3*) = nullptr;
  int (*exec)(sqlite3*, const char* sql, int (*)(void*, int, char**, char**), void*,
              char** error) = nullptr;
  const char* (*errmsg)(sqlite3*) = nullptr;
  int (*errcode)(sqlite3*) = nullptr;
  int (*prepare_v2)(sqlite3*, const char* sql, int bytes, sqlite3_stmt**,
                    const char** tail) = nullptr;
  int (*bind_int64)(sqlite3_stmt*, int index, int64_t) = nullptr;
  int (*bind_text)(sqlite3_stmt*, int index, const char*, int bytes, void (*)(void*)) = nullptr;
  int (*step)(sqlite3_stmt*) = nullptr;
  int (*reset)(sqlite3_stmt*) = nullptr;
  int (*finalize)(sqlite3_stmt*) = nullptr;
  int (*column_type)(sqlite3_stmt*, int column) = nullptr;
  int64_t (*column_int64)(sqlite3_stmt*, int column) = nullptr;
  const unsigned char* (*column_text)(sqlite3_stmt*, int column) = nullptr;
  int (*column_bytes)(sqlite3_stmt*, int column) = nullptr;
  int (*busy_handler)(sqlite3*, int (*)(void*, int count), void*) = nullptr;

  // Null where the library has none.
  const char* (*sourceid)() = nullptr;
  int (*extended_errcode)(sqlite3*) = nullptr;
};

}  // namespace throughput
