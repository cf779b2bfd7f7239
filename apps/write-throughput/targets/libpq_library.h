// libpq's C interface, loaded by shared_library.h: the part of it that we call, declared here, as
// its header need not be there when this program is built. Source of the values: PostgreSQL's
// documentation, chapter "libpq - C Library"; they are part of its binary interface. Version 14 is
// the first one with pipelines.
// Thread rule: constant once loaded; a PGconn is one thread's at a time.
#pragma once

#include <string>

#include "apps/write-throughput/targets/shared_library.h"

namespace throughput {

struct PGconn;    // libpq's
struct PGresult;  // likewise

struct PQconninfoOption {  // an entry of a connection string; the last has no keyword
  char* keyword;
  char* envvar;
  char* compiled;
  char* val;  // null: not given
  char* label;
  char* dispchar;  // "*": a password
  int dispsize;
};

inline constexpr int kPgConnectionOk = 0;  // ConnStatusType
inline constexpr int kPgConnectionBad = 1;

inline constexpr int kPgPollingFailed = 0;  // PostgresPollingStatusType
inline constexpr int kPgPollingReading = 1;
inline constexpr int kPgPollingWriting = 2;
inline constexpr int kPgPollingOk = 3;

inline constexpr int kPgCommandOk = 1;  // ExecStatusType
inline constexpr int kPgTuplesOk = 2;
inline constexpr int kPgCopyIn = 4;
inline constexpr int kPgPipelineSync = 10;
inline constexpr int kPgPipelineAborted = 11;

inline constexpr int kPgSeverity = 'V';  // fields of an error or notice; this one in English
inline constexpr int kPgSqlState = 'C';
inline constexpr int kPgMessage = 'M';

using PgOid = unsigned;
inline constexpr PgOid kPgInt8 = 20;
inline constexpr PgOid kPgText = 25;

struct LibpqLibrary {
  // The failure names the library, and the symbol where one is missing.
  Expected<> Load(const std::string& name);

  std::string Version() const;  // "15.4"

  SharedLibrary library;

  int (*lib_version)() = nullptr;
  PQconninfoOption* (*conninfo_parse)(const char* text, char** error) = nullptr;
  void (*conninfo_free)(PQconninfoOption*) = nullptr;
  void (*freemem)(void*) = nullptr;

  PGconn* (*connect_start)(const char* const* keywords, const char* const* values,
                           int expand_dbname) = nullptr;
  int (*connect_poll)(PGconn*) = nullptr;
  int (*status)(const PGconn*) = nullptr;
  void (*finish)(PGconn*) = nullptr;
  char* (*error_message)(const PGconn*) = nullptr;
  int (*socket)(const PGconn*) = nullptr;
  int (*backend_pid)(const PGconn*) = nullptr;
  char* (*host)(const PGconn*) = nullptr;
  char* (*port)(const PGconn*) = nullptr;
  char* (*database)(const PGconn*) = nullptr;
  int (*set_nonblocking)(PGconn*, int) = nullptr;
  void* (*set_notice_receiver)(PGconn*, void (*)(void*, const PGresult*), void*) = nullptr;

  int (*send_query)(PGconn*, const char* sql) = nullptr;
  int (*send_query_params)(PGconn*, const char* sql, int count, const PgOid* types,
                           const char* const* values, const int* lengths, const int* formats,
                           int result_format) = nullptr;
  int (*send_prepare)(PGconn*, const char* name, const char* sql, int count,
                      const PgOid* types) = nullptr;
  int (*send_query_prepared)(PGconn*, const char* name, int count, const char* const* values,
                             const int* lengths, const int* formats, int result_format) = nullptr;
  int (*put_copy_data)(PGconn*, const char* bytes, int size) = nullptr;
  int (*put_copy_end)(PGconn*, const char* error) = nullptr;
  int (*enter_pipeline_mode)(PGconn*) = nullptr;
  int (*pipeline_sync)(PGconn*) = nullptr;
  int (*flush)(PGconn*) = nullptr;
  int (*consume_input)(PGconn*) = nullptr;
  int (*is_busy)(PGconn*) = nullptr;

  PGresult* (*get_result)(PGconn*) = nullptr;
  void (*clear)(PGresult*) = nullptr;
  int (*result_status)(const PGresult*) = nullptr;
  char* (*result_error_field)(const PGresult*, int field) = nullptr;
  char* (*cmd_status)(PGresult*) = nullptr;
  int (*ntuples)(const PGresult*) = nullptr;
  int (*nfields)(const PGresult*) = nullptr;
  char* (*get_value)(const PGresult*, int row, int column) = nullptr;
  int (*get_length)(const PGresult*, int row, int column) = nullptr;
};

}  // namespace throughput
