// The functions of LMDB's C interface (http://www.lmdb.tech/doc/group__mdb.html), found at run
// time. Thread rule: constant once loaded.
#pragma once

#include <string>

#include "apps/write-throughput/targets/shared_library.h"
#include "apps/write-throughput/targets/target.h"

struct MDB_env;
struct MDB_txn;
struct MDB_cursor;

namespace throughput {

struct LmdbValue {  // the interface's MDB_val
  size_t size;
  void* data;
};

// Numbers of the interface that never change.
inline constexpr int kLmdbKeyExists = -30799;
inline constexpr int kLmdbNotFound = -30798;
inline constexpr int kLmdbMapFull = -30792;
inline constexpr unsigned kLmdbReadOnly = 0x20000;
inline constexpr unsigned kLmdbIntegerKey = 0x08;
inline constexpr unsigned kLmdbCreate = 0x40000;
inline constexpr unsigned kLmdbNoOverwrite = 0x10;
inline constexpr int kLmdbNext = 8;  // cursor operation

struct LmdbLibrary {
  Expected<> Load(const std::string& name);
  LoadedEngine Describe() const;

  SharedLibrary library;
  char* (*version)(int* major, int* minor, int* patch) = nullptr;
  char* (*strerror)(int) = nullptr;
  int (*env_create)(MDB_env**) = nullptr;
  int (*env_open)(MDB_env*, const char* path, unsigned flags, unsigned mode) = nullptr;
  void (*env_close)(MDB_env*) = nullptr;
  int (*env_set_mapsize)(MDB_env*, size_t bytes) = nullptr;
  int (*env_set_maxreaders)(MDB_env*, unsigned) = nullptr;
  int (*txn_begin)(MDB_env*, MDB_txn* parent, unsigned flags, MDB_txn**) = nullptr;
  int (*txn_commit)(MDB_txn*) = nullptr;
  void (*txn_abort)(MDB_txn*) = nullptr;
  int (*dbi_open)(MDB_txn*, const char* name, unsigned flags, unsigned* database) = nullptr;
  int (*put)(MDB_txn*, unsigned database, LmdbValue* key, LmdbValue* data,
             unsigned flags) = nullptr;
  int (*cursor_open)(MDB_txn*, unsigned database, MDB_cursor**) = nullptr;
  int (*cursor_get)(MDB_cursor*, LmdbValue* key, LmdbValue* data, int operation) = nullptr;
  void (*cursor_close)(MDB_cursor*) = nullptr;
};

}  // namespace throughput
