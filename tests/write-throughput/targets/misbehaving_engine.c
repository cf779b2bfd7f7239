/* An engine that keeps its rows in memory, syncs a file at every commit, and misbehaves on demand:
 *   fail=CALL, crash=CALL, abort=CALL, hang=CALL   at the call of this name
 *   forget=CALL   the call gives no database or connection and says that it is well
 *   lie=drop|change|duplicate|nosync   about row 7, or about what is durable
 *   lie=rawsync             no lie, but a sync by a system call of its own
 *   tell=TEXT   instead of a text of its own with a failure
 * Macros make it unfit to load: WITH_VERSION, WITH_SYMBOL, WITHOUT_COMMIT, WITHOUT_MODES,
 * WITHOUT_AWAIT, WITHOUT_SETTINGS, WITH_NAME, CRASHING_AT_LOAD. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "write_throughput_target.h"

#ifndef WITH_VERSION
#define WITH_VERSION WRITE_THROUGHPUT_TARGET_VERSION
#endif
#ifndef WITH_SYMBOL
#define WITH_SYMBOL write_throughput_target
#endif
#ifndef WITH_NAME
#define WITH_NAME "Misbehaving"
#endif

typedef struct write_throughput_error Error;
typedef struct write_throughput_options Options;
typedef struct {
  int64_t id;
  size_t size;
  char data[64];
} Row;

struct write_throughput_database {
  const char* fail;
  const char* crash;
  const char* abort;
  const char* hang;
  const char* forget;
  const char* lie;
  const char* tell;
  int file;
};
struct write_throughput_connection {
  struct write_throughput_database* database;
  Row* rows; /* of the open transaction */
  size_t count;
  size_t room;
};

/* Outlive the database, as the library stays loaded. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Row* kept = NULL;
static size_t kept_count = 0;
static size_t kept_room = 0;

static const char* Setting(const Options* options, const char* key) {
  for (size_t i = 0; i < options->setting_count; ++i) {
    if (strcmp(options->settings[i].key, key) == 0) return options->settings[i].value;
  }
  return "";
}

static int Misbehave(const struct write_throughput_database* database, const char* call,
                     Error* error) {
  if (strcmp(database->crash, call) == 0) raise(SIGSEGV);
  if (strcmp(database->abort, call) == 0) abort();
  while (strcmp(database->hang, call) == 0) pause();
  if (strcmp(database->fail, call) != 0) return WRITE_THROUGHPUT_OK;
  snprintf(error->text, sizeof error->text, "%s", database->tell);
  return WRITE_THROUGHPUT_FAILED;
}

static void Keep(Row** rows, size_t* count, size_t* room, const Row* row) {
  if (*count == *room) {
    *room = *room == 0 ? 64 : 2 * *room;
    *rows = realloc(*rows, *room * sizeof **rows);
  }
  (*rows)[(*count)++] = *row;
}

static int Check(const Options* options, Error* error) {
  while (strcmp(Setting(options, "hang"), "check") == 0) pause();
  if (strcmp(Setting(options, "io"), "io-uring") == 0) {
    snprintf(error->text, sizeof error->text, "--io io-uring is not allowed: pwrite");
    return WRITE_THROUGHPUT_FAILED;
  }
  if (strcmp(Setting(options, "lie"), "refuse") != 0) return WRITE_THROUGHPUT_OK;
  snprintf(error->text, sizeof error->text, "lie=refuse is not allowed");
  return WRITE_THROUGHPUT_FAILED;
}

static int OpenFor(const char* call, const Options* options,
                   struct write_throughput_database** database, Error* error) {
  char path[4096];
  snprintf(path, sizeof path, "%s/synced", options->path);
  struct write_throughput_database* opened = malloc(sizeof *opened);
  opened->fail = Setting(options, "fail");
  opened->crash = Setting(options, "crash");
  opened->abort = Setting(options, "abort");
  opened->hang = Setting(options, "hang");
  opened->forget = Setting(options, "forget");
  opened->lie = Setting(options, "lie");
  opened->tell = Setting(options, "tell");
  opened->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const int outcome = Misbehave(opened, call, error);
  const int forgotten = strcmp(opened->forget, call) == 0;
  if (outcome == WRITE_THROUGHPUT_OK && !forgotten) {
    *database = opened;
  } else {
    free(opened);
  }
  return outcome;
}
static int Create(const Options* options, struct write_throughput_database** database,
                  Error* error) {
  return OpenFor("create", options, database, error);
}
static int Open(const Options* options, struct write_throughput_database** database, Error* error) {
  return OpenFor("open", options, database, error);
}

static int Close(struct write_throughput_database* database, Error* error) {
  const int outcome = Misbehave(database, "close", error);
  close(database->file);
  free(database);
  return outcome;
}

static int Connect(struct write_throughput_database* database,
                   struct write_throughput_connection** connection, Error* error) {
  const int outcome = Misbehave(database, "connect", error);
  if (outcome != WRITE_THROUGHPUT_OK) return outcome;
  if (strcmp(database->forget, "connect") == 0) return outcome;
  *connection = calloc(1, sizeof **connection);
  (*connection)->database = database;
  return WRITE_THROUGHPUT_OK;
}
static void Disconnect(struct write_throughput_connection* connection) {
  Misbehave(connection->database, "disconnect", NULL);
  free(connection->rows);
  free(connection);
}

static int Begin(struct write_throughput_connection* connection, Error* error) {
  connection->count = 0;
  return Misbehave(connection->database, "begin", error);
}
static int Insert(struct write_throughput_connection* connection, int64_t id, const char* data,
                  size_t size, Error* error) {
  Row row = {id, size, {0}};
  memcpy(row.data, data, size < sizeof row.data ? size : sizeof row.data);
  Keep(&connection->rows, &connection->count, &connection->room, &row);
  return Misbehave(connection->database, "insert", error);
}
static int Store(struct write_throughput_connection* connection) {
  const struct write_throughput_database* database = connection->database;
  pthread_mutex_lock(&mutex);
  for (size_t i = 0; i < connection->count; ++i) {
    Keep(&kept, &kept_count, &kept_room, &connection->rows[i]);
  }
  const ssize_t size = (ssize_t)(connection->count * sizeof(Row));
  const int written = pwrite(database->file, connection->rows, (size_t)size, 0) == size;
  if (strcmp(database->lie, "rawsync") == 0) {
    syscall(SYS_fdatasync, database->file);
  } else if (strcmp(database->lie, "nosync") != 0) {
    fdatasync(database->file);
  }
  pthread_mutex_unlock(&mutex);
  return written ? WRITE_THROUGHPUT_OK : WRITE_THROUGHPUT_FAILED;
}
static int Commit(struct write_throughput_connection* connection, Error* error) {
  const int outcome = Misbehave(connection->database, "commit", error);
  return outcome == WRITE_THROUGHPUT_OK ? Store(connection) : outcome;
}
static void Rollback(struct write_throughput_connection* connection) {
  Misbehave(connection->database, "rollback", NULL);
  connection->count = 0;
}
static int Submit(struct write_throughput_connection* connection, Error* error) {
  const int outcome = Misbehave(connection->database, "submit", error);
  return outcome == WRITE_THROUGHPUT_OK ? Store(connection) : outcome;
}
#ifndef WITHOUT_AWAIT
static int Await(struct write_throughput_connection* connection, int64_t* durable_ns,
                 Error* error) {
  *durable_ns = 0;
  return Misbehave(connection->database, "await", error);
}
#endif

static int ById(const void* left, const void* right) {
  const int64_t a = ((const Row*)left)->id;
  const int64_t b = ((const Row*)right)->id;
  return (a > b) - (a < b);
}
static int Scan(struct write_throughput_database* database, write_throughput_row row, void* context,
                Error* error) {
  const int outcome = Misbehave(database, "scan", error);
  qsort(kept, kept_count, sizeof *kept, ById);
  for (size_t i = 0; i < kept_count && outcome == WRITE_THROUGHPUT_OK; ++i) {
    const int special = kept[i].id == 7;
    if (special && strcmp(database->lie, "drop") == 0) continue;
    if (special && strcmp(database->lie, "change") == 0) kept[i].data[0] = '?';
    if (!row(context, kept[i].id, kept[i].data, kept[i].size)) break;
    if (!special || strcmp(database->lie, "duplicate") != 0) continue;
    if (!row(context, kept[i].id, kept[i].data, kept[i].size)) break;
  }
  return outcome;
}

#ifdef CRASHING_AT_LOAD
__attribute__((constructor)) static void CrashAtLoad(void) { raise(SIGSEGV); }
#endif

const struct write_throughput_engine* WITH_SYMBOL(void);
const struct write_throughput_engine* WITH_SYMBOL(void) {
  static const struct write_throughput_setting settings[] = {
      {"fail", "the call that fails"},
      {"crash", "the call that crashes"},
      {"abort", "the call that ends the process"},
      {"hang", "the call that never returns"},
      {"forget", "the call that gives nothing"},
      {"io", "pwrite"},
      {"lie", "drop, change, duplicate, nosync or rawsync"},
      {"tell", "what a failure says"},
  };
  static const struct write_throughput_engine engine = {
      .version = WITH_VERSION,
      .size = sizeof engine,
      .name = WITH_NAME,
      .engine_version = "2.5",
      .source_id = "abc",
      .durability = "fdatasync at every commit, it says",
#ifndef WITHOUT_MODES
      .modes = WRITE_THROUGHPUT_LEGACY | WRITE_THROUGHPUT_CONCURRENT,
#endif
#ifndef WITHOUT_SETTINGS
      .settings = settings,
#endif
      .setting_count = sizeof settings / sizeof *settings,
      .check = Check,
      .create = Create,
      .open = Open,
      .close = Close,
      .connect = Connect,
      .disconnect = Disconnect,
      .begin = Begin,
      .insert = Insert,
#ifndef WITHOUT_COMMIT
      .commit = Commit,
#endif
      .rollback = Rollback,
      .submit = Submit,
#ifndef WITHOUT_AWAIT
      .await = Await,
#endif
      .scan = Scan,
  };
#ifdef WITHOUT_COMMIT
  (void)Commit;
#endif
  return &engine;
}
