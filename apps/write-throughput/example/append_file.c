/* An engine in a few lines, as write-throughput loads it: rows are appended to a file, under a lock
 * that a transaction holds from begin to commit, and a commit syncs the file.
 *
 *   cc -shared -fPIC -I FOLDER_OF_THE_HEADER append_file.c -o append_file.so
 *   write-throughput --engine ./append_file.so --verify
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "write_throughput_target.h"

typedef struct write_throughput_error Error;
typedef struct write_throughput_options Options;
typedef struct write_throughput_database {
  int file;
  pthread_mutex_t writer;
  off_t end; /* of the last commit */
} Database;
typedef struct write_throughput_connection {
  Database* database;
} Connection;
typedef struct __attribute__((packed)) {
  int64_t id;
  uint64_t size;
} Row; /* its data stand behind it */

static int Fail(Error* error, const char* what) {
  snprintf(error->text, sizeof error->text, "%s: %s", what, strerror(errno));
  return WRITE_THROUGHPUT_FAILED;
}

static int Open(const Options* options, Database** database, Error* error) {
  char path[4096];
  snprintf(path, sizeof path, "%s/rows", options->path);
  Database* opened = calloc(1, sizeof *opened);
  if (opened == NULL) return Fail(error, "calloc");
  *database = opened;
  pthread_mutex_init(&opened->writer, NULL);
  opened->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  return opened->file < 0 ? Fail(error, "rows") : WRITE_THROUGHPUT_OK;
}

static int Close(Database* database, Error* error) {
  const int closed = database->file < 0 ? 0 : close(database->file);
  free(database);
  return closed != 0 ? Fail(error, "close") : WRITE_THROUGHPUT_OK;
}

static int Connect(Database* database, Connection** connection, Error* error) {
  *connection = malloc(sizeof **connection);
  if (*connection == NULL) return Fail(error, "malloc");
  (*connection)->database = database;
  return WRITE_THROUGHPUT_OK;
}

static void Disconnect(Connection* connection) { free(connection); }

static int Begin(Connection* connection, Error* error) {
  (void)error;
  pthread_mutex_lock(&connection->database->writer);
  return WRITE_THROUGHPUT_OK;
}

static int Insert(Connection* connection, int64_t id, const char* data, size_t size, Error* error) {
  Row row = {id, size};
  const struct iovec parts[2] = {{&row, sizeof row}, {(char*)data, size}};
  const ssize_t written = writev(connection->database->file, parts, 2);
  if (written == (ssize_t)(sizeof row + size)) return WRITE_THROUGHPUT_OK;
  if (written >= 0) errno = ENOSPC; /* there was room for a part only */
  return Fail(error, "rows");
}

static int Commit(Connection* connection, Error* error) {
  Database* database = connection->database;
  if (fdatasync(database->file) != 0) return Fail(error, "rows");
  database->end = lseek(database->file, 0, SEEK_END);
  pthread_mutex_unlock(&database->writer);
  return WRITE_THROUGHPUT_OK;
}

static void Rollback(Connection* connection) {
  Database* database = connection->database;
  if (ftruncate(database->file, database->end) != 0) abort(); /* half a transaction would stay */
  pthread_mutex_unlock(&database->writer);
}

static int ById(const void* left, const void* right) {
  const int64_t a = (*(const Row* const*)left)->id;
  const int64_t b = (*(const Row* const*)right)->id;
  return (a > b) - (a < b);
}

static int Scan(Database* database, write_throughput_row row, void* context, Error* error) {
  const off_t size = lseek(database->file, 0, SEEK_END);
  char* bytes = malloc((size_t)size + 1);
  const Row** rows = malloc(((size_t)size / sizeof(Row) + 1) * sizeof *rows);
  int outcome = WRITE_THROUGHPUT_OK;
  if (bytes == NULL || rows == NULL || pread(database->file, bytes, (size_t)size, 0) != size) {
    outcome = Fail(error, "rows");
  } else {
    size_t count = 0;
    for (off_t at = 0; at < size; ++count) {
      Row header;
      memcpy(&header, bytes + at, sizeof header);
      rows[count] = (const Row*)(bytes + at);
      at += (off_t)(sizeof header + header.size);
    }
    qsort(rows, count, sizeof *rows, ById);
    for (size_t i = 0; i < count; ++i) {
      if (!row(context, rows[i]->id, (const char*)(rows[i] + 1), rows[i]->size)) break;
    }
  }
  free(rows);
  free(bytes);
  return outcome;
}

const struct write_throughput_engine* write_throughput_target(void) {
  static const struct write_throughput_engine engine = {
      .version = WRITE_THROUGHPUT_TARGET_VERSION,
      .size = sizeof engine,
      .name = "AppendFile",
      .engine_version = "1",
      .durability = "fdatasync at every commit",
      .modes = WRITE_THROUGHPUT_LEGACY,
      .create = Open,
      .open = Open,
      .close = Close,
      .connect = Connect,
      .disconnect = Disconnect,
      .begin = Begin,
      .insert = Insert,
      .commit = Commit,
      .rollback = Rollback,
      .scan = Scan,
  };
  return &engine;
}
