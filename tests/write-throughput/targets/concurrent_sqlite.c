/* A library with SQLite's C interface that knows BEGIN CONCURRENT: the system's SQLite behind it,
 * to which it is a plain BEGIN. Its first commit finds a stale snapshot, as concurrent ones may. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct sqlite3;
struct sqlite3_stmt;
enum { kBusySnapshot = 5 | (2 << 8) };

static struct sqlite3_stmt* stale = NULL; /* a commit that has to fail */
static int failed = 0;                    /* it has, and nobody has asked for the code yet */
static int done = 0;

/* Of the system's library. */
static void* Real(const char* name) {
  static void* library = NULL;
  if (library == NULL) library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
  void* symbol = library == NULL ? NULL : dlsym(library, name);
  if (symbol == NULL) abort();
  return symbol;
}

#define FORWARD(result, name, parameters, arguments) \
  result name parameters;                            \
  result name parameters {                           \
    result(*real) parameters = NULL;                 \
    void* symbol = Real(#name);                      \
    memcpy(&real, &symbol, sizeof real);             \
    return real arguments;                           \
  }

FORWARD(const char*, sqlite3_libversion, (void), ())
FORWARD(int, sqlite3_open_v2,
        (const char* file, struct sqlite3** database, int flags, const char* vfs),
        (file, database, flags, vfs))
FORWARD(int, sqlite3_close, (struct sqlite3 * database), (database))
FORWARD(int, sqlite3_exec,
        (struct sqlite3 * database, const char* sql, int (*row)(void*, int, char**, char**),
         void* context, char** error),
        (database, sql, row, context, error))
FORWARD(const char*, sqlite3_errmsg, (struct sqlite3 * database), (database))
FORWARD(int, sqlite3_errcode, (struct sqlite3 * database), (database))
FORWARD(int, sqlite3_bind_int64, (struct sqlite3_stmt * statement, int index, int64_t value),
        (statement, index, value))
FORWARD(int, sqlite3_bind_text,
        (struct sqlite3_stmt * statement, int index, const char* text, int size,
         void (*destroy)(void*)),
        (statement, index, text, size, destroy))
FORWARD(int, sqlite3_reset, (struct sqlite3_stmt * statement), (statement))
FORWARD(int, sqlite3_finalize, (struct sqlite3_stmt * statement), (statement))
FORWARD(int, sqlite3_column_type, (struct sqlite3_stmt * statement, int column),
        (statement, column))
FORWARD(int64_t, sqlite3_column_int64, (struct sqlite3_stmt * statement, int column),
        (statement, column))
FORWARD(const unsigned char*, sqlite3_column_text, (struct sqlite3_stmt * statement, int column),
        (statement, column))
FORWARD(int, sqlite3_column_bytes, (struct sqlite3_stmt * statement, int column),
        (statement, column))
FORWARD(int, sqlite3_busy_handler,
        (struct sqlite3 * database, int (*handler)(void*, int), void* context),
        (database, handler, context))

int sqlite3_prepare_v2(struct sqlite3* database, const char* sql, int size,
                       struct sqlite3_stmt** statement, const char** tail);
int sqlite3_prepare_v2(struct sqlite3* database, const char* sql, int size,
                       struct sqlite3_stmt** statement, const char** tail) {
  int (*real)(struct sqlite3*, const char*, int, struct sqlite3_stmt**, const char**) = NULL;
  void* symbol = Real("sqlite3_prepare_v2");
  memcpy(&real, &symbol, sizeof real);
  const char* known = strcmp(sql, "BEGIN CONCURRENT") == 0 ? "BEGIN" : sql;
  const int code = real(database, known, size, statement, tail);
  if (!done && strcmp(sql, "COMMIT") == 0) stale = *statement;
  return code;
}

int sqlite3_step(struct sqlite3_stmt* statement);
int sqlite3_step(struct sqlite3_stmt* statement) {
  int (*real)(struct sqlite3_stmt*) = NULL;
  void* symbol = Real("sqlite3_step");
  memcpy(&real, &symbol, sizeof real);
  if (done || statement != stale) return real(statement);
  done = failed = 1;
  return kBusySnapshot & 0xff;
}

int sqlite3_extended_errcode(struct sqlite3* database);
int sqlite3_extended_errcode(struct sqlite3* database) {
  int (*real)(struct sqlite3*) = NULL;
  void* symbol = Real("sqlite3_extended_errcode");
  memcpy(&real, &symbol, sizeof real);
  const int code = failed ? kBusySnapshot : real(database);
  failed = 0;
  return code;
}
