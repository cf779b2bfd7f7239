/* The C interface by which write-throughput loads a storage engine of your own:
 *
 *   write-throughput --engine ./mine.so
 *
 * mine.so exports one function, write_throughput_target, which returns a description of the engine:
 * names, and functions for everything that the load asks of it. Plain C; no library to link.
 *
 * Threads. check, create, open, close, connect, disconnect and scan are called by one
 * thread at a time. begin, insert, commit, rollback, submit and await are called for each
 * connection by one thread at a time, which need not be the one that connected; different
 * connections are used at the same time. Connections are disconnected before close.
 *
 * Errors. Functions that can fail return a write_throughput_outcome. With
 * WRITE_THROUGHPUT_FAILED they put a text into error->text (one line, ended by a 0, in UTF-8),
 * which is shown, control characters as escapes. A crash ends the process of the cell: that cell is
 * lost, others are not.
 *
 * Versions. Structures only grow at their end, and version changes when they do otherwise. Set
 * version and size as below; what lies beyond `size` counts as 0.
 */
#ifndef WRITE_THROUGHPUT_TARGET_H_
#define WRITE_THROUGHPUT_TARGET_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WRITE_THROUGHPUT_TARGET_VERSION 1u

enum write_throughput_outcome {
  WRITE_THROUGHPUT_OK = 0,
  /* Another transaction was first: the caller rolls back and runs the transaction anew. */
  WRITE_THROUGHPUT_CONFLICT = 1,
  /* A lock was not to be had yet: likewise. Both are tried again until the timeout. */
  WRITE_THROUGHPUT_BUSY = 2,
  WRITE_THROUGHPUT_FAILED = 3
};

/* Ways to commit, as bits. In those that are pipelined, submit and await replace commit. */
enum write_throughput_mode {
  WRITE_THROUGHPUT_LEGACY = 1,         /* begin takes the writer lock, commit syncs under it */
  WRITE_THROUGHPUT_MVCC = 2,           /* the same, but the lock is given up before the sync */
  WRITE_THROUGHPUT_LOGICAL_LOG = 4,    /* begins at once; each commit is awaited */
  WRITE_THROUGHPUT_CONCURRENT = 8,     /* pipelined: several transactions in flight */
  WRITE_THROUGHPUT_MVCC_TRUNCATE = 16, /* pipelined; checkpoints block the writers */
  WRITE_THROUGHPUT_MVCC_PASSIVE = 32   /* pipelined; checkpoints run beside the writers */
};

struct write_throughput_error {
  char text[512];
};

/* KEY=VALUE of --engine-option; in a description: a key and what it sets. The key "io" is not asked
 * for by --engine-option: a library that lists it gets the value of --io, "pwrite" or "io-uring".
 */
struct write_throughput_setting {
  const char* key;
  const char* value;
};

/* Valid until close returns; for check, during the call. */
struct write_throughput_options {
  uint32_t size;      /* of this structure, as the caller knows it */
  const char* path;   /* a folder that is there and this run's alone; null for check */
  uint32_t mode;      /* one bit of write_throughput_mode */
  int32_t threads;    /* connections that will be made; scans come on top */
  int32_t in_flight;  /* transactions that are open at most per connection, pipelined modes */
  int64_t timeout_ms; /* no call may wait for longer: one that has not returned two seconds later,
                         nor given a row of a scan, ends the process; ten times as late where the
                         process works meanwhile */
  const struct write_throughput_setting* settings; /* those whose keys the description has */
  size_t setting_count;
};

struct write_throughput_database;   /* yours */
struct write_throughput_connection; /* yours */

/* Gets one row; 0: the scan is to end early, without an error. */
typedef int (*write_throughput_row)(void* context, int64_t id, const char* data, size_t size);

struct write_throughput_engine {
  uint32_t version; /* WRITE_THROUGHPUT_TARGET_VERSION */
  uint32_t size;    /* sizeof(struct write_throughput_engine) */

  const char* name;           /* as rows show it, a line of text: "Mine" */
  const char* engine_version; /* "1.2.3" */
  const char* source_id;      /* which state of the source this was made of; may be null */
  const char* durability;     /* by what a commit is durable; null: none is claimed */
  uint32_t modes;             /* all those it has */
  const struct write_throughput_setting* settings; /* keys it takes; may be null */
  size_t setting_count;

  /* Whether the values of the settings are allowed: asked before anything is made, and nothing else
   * of the options counts. May be null: they are. */
  int (*check)(const struct write_throughput_options* options,
               struct write_throughput_error* error);

  /* Makes a database with the empty table test_table(id 64-bit integer, the primary key; data
   * text), or opens the one that create made and close closed, in the same process. Behind an error
   * close is not called. */
  int (*create)(const struct write_throughput_options* options,
                struct write_throughput_database** database, struct write_throughput_error* error);
  int (*open)(const struct write_throughput_options* options,
              struct write_throughput_database** database, struct write_throughput_error* error);
  /* Frees the database, with an error, too. */
  int (*close)(struct write_throughput_database* database, struct write_throughput_error* error);

  int (*connect)(struct write_throughput_database* database,
                 struct write_throughput_connection** connection,
                 struct write_throughput_error* error);
  void (*disconnect)(struct write_throughput_connection* connection);

  int (*begin)(struct write_throughput_connection* connection,
               struct write_throughput_error* error);
  /* `id` is below 0 for rows of a warm-up; no id comes twice, but with a transaction that is run
   * anew. `data` is valid during the call alone and not ended by a 0. */
  int (*insert)(struct write_throughput_connection* connection, int64_t id, const char* data,
                size_t size, struct write_throughput_error* error);
  /* OK: the transaction is durable. FAILED: it may be or not. */
  int (*commit)(struct write_throughput_connection* connection,
                struct write_throughput_error* error);
  /* Behind begin, insert, commit or submit with any other outcome than OK: the transaction that the
   * connection has begun, if any is left, goes without effect, and its locks are given up. */
  void (*rollback)(struct write_throughput_connection* connection);

  /* Pipelined modes; null without them. submit: OK before the transaction is durable. await: the
   * answer for the oldest one submitted that has none yet; *durable_ns is when it became durable,
   * by CLOCK_MONOTONIC, or 0 for now. CONFLICT and BUSY: that one has gone without effect and is
   * run anew. FAILED: it may be durable or not; the others are still awaited. No rollback follows.
   */
  int (*submit)(struct write_throughput_connection* connection,
                struct write_throughput_error* error);
  int (*await)(struct write_throughput_connection* connection, int64_t* durable_ns,
               struct write_throughput_error* error);

  /* Every row, in ascending order of the ids. */
  int (*scan)(struct write_throughput_database* database, write_throughput_row row, void* context,
              struct write_throughput_error* error);
};

/* What a library has to export: never null, constant, valid for ever. */
const struct write_throughput_engine* write_throughput_target(void);

#ifdef __cplusplus
}
#endif

#endif /* WRITE_THROUGHPUT_TARGET_H_ */
