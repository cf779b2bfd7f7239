#include "apps/write-throughput/targets/sqlite_library.h"

namespace throughput {
namespace {

constexpr int kUpToItsEnd = -1;  // of a statement's text

}  // namespace

Expected<> SqliteLibrary::Load(const std::string& name) {
  if (auto opened = library.Open(name); !opened) return opened;
  FunctionFinder find(library);
  find("sqlite3_libversion", libversion);
  find("sqlite3_open_v2", open_v2);
  find("sqlite3_close", close);
  find("sqlite3_exec", exec);
  find("sqlite3_errmsg", errmsg);
  find("sqlite3_errcode", errcode);
  find("sqlite3_prepare_v2", prepare_v2);
  find("sqlite3_bind_int64", bind_int64);
  find("sqlite3_bind_text", bind_text);
  find("sqlite3_step", step);
  find("sqlite3_reset", reset);
  find("sqlite3_finalize", finalize);
  find("sqlite3_column_type", column_type);
  find("sqlite3_column_int64", column_int64);
  find("sqlite3_column_text", column_text);
  find("sqlite3_column_bytes", column_bytes);
  find("sqlite3_busy_handler", busy_handler);
  if (library.Has("sqlite3_sourceid")) find("sqlite3_sourceid", sourceid);
  if (library.Has("sqlite3_extended_errcode")) find("sqlite3_extended_errcode", extended_errcode);
  return find.found();
}

LoadedEngine SqliteLibrary::Describe() const {
  return {"SQLite", libversion(), library.path(), sourceid == nullptr ? "" : sourceid()};
}

bool SqliteLibrary::HasBeginConcurrent() const {
  sqlite3* database = nullptr;
  sqlite3_stmt* statement = nullptr;
  const int flags = kSqliteOpenReadWrite | kSqliteOpenCreate | kSqliteOpenNoMutex;
  const bool known =
      open_v2(":memory:", &database, flags, nullptr) == kSqliteOk &&
      prepare_v2(database, "BEGIN CONCURRENT", kUpToItsEnd, &statement, nullptr) == kSqliteOk;
  finalize(statement);
  close(database);
  return known;
}

int SqliteLibrary::ErrorCode(sqlite3* database) const {
  return extended_errcode != nullptr ? extended_errcode(database) : errcode(database);
}

}  // namespace throughput
